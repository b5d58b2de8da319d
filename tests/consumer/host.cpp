// SPDX-License-Identifier: MIT
// The same host in C++17.
#include <acphys/acphys.h>
#include <cstring>

int main() {
    acp_error error{};
    acp_error_clear(&error);
    acp_vec3 v{1.0F, 2.0F, 3.0F};
    return std::strcmp(acp_result_name(ACP_OK), "ok") == 0 && v.z == 3.0F ? 0 : 1;
}
