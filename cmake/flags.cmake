# SPDX-License-Identifier: MIT
# Compile flags of every target: warnings are errors, and the arithmetic flags of D24.
add_library(acp_float_flags INTERFACE)
target_compile_options(acp_float_flags INTERFACE -ffp-contract=off -fno-fast-math)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  # D24: GCC 12's vectorisers delete roundings and miscount ordered sums.
  target_compile_options(acp_float_flags INTERFACE -fno-tree-slp-vectorize -fno-tree-vectorize)
endif()

add_library(acp_flags INTERFACE)
target_link_libraries(acp_flags INTERFACE acp_float_flags)
target_compile_options(acp_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wfloat-conversion -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wcast-qual -Wcast-align -Wwrite-strings -Wundef -Wvla -Wformat=2 -Wswitch-enum -Wno-double-promotion)
target_compile_definitions(acp_flags INTERFACE _POSIX_C_SOURCE=200809L)
if(MINGW)
  target_compile_definitions(acp_flags INTERFACE __USE_MINGW_ANSI_STDIO=1)
  # Its isfinite, isnan and isinf name the binary32 branch for a double too, where no one takes it.
  target_compile_options(acp_flags INTERFACE -Wno-float-conversion)
endif()
