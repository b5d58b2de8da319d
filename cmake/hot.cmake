# SPDX-License-Identifier: MIT
# The files that a flood or a sub-step runs through, compiled as one unit in optimised builds: small functions of one floor then go in line
# in the next, whatever the linker of the host can do. Nothing else changes: the same sources and, as no flag allows reassociation or
# contraction and the vectorisers of D24 stay off, the same bits. Files with statics of equal names stay apart.
option(ACP_HOT_UNIT "Compile the hot path of floods and moves as one unit (optimised builds)" ON)
if(ACP_HOT_UNIT AND CMAKE_BUILD_TYPE MATCHES "Release|RelWithDebInfo")
  set(acp_hot_sources
    src/math/frame.c src/math/vec3.c src/place/cell_id.c src/place/position.c
    src/geom/box.c src/geom/bsp_query.c src/geom/cell_tree.c src/geom/plane.c src/geom/polygon.c src/geom/sphere.c
    src/terrain/block.c src/world/world.c
    src/membership/cell_array.c src/membership/flood.c src/membership/flood_indoor.c src/membership/flood_outdoor.c src/membership/flood_parts.c
    src/membership/registry.c
    src/transition/adopt.c src/transition/bsp_collision.c src/transition/collision_info.c src/transition/context.c src/transition/dispatch.c
    src/transition/insert.c src/transition/mover.c src/transition/mover_info.c src/transition/object_collision.c src/transition/offset.c
    src/transition/slide.c src/transition/sphere_path.c src/transition/step.c src/transition/sweep.c src/transition/walkable.c)
  list(TRANSFORM acp_hot_sources PREPEND ${PROJECT_SOURCE_DIR}/)
  list(REMOVE_ITEM acp_sources ${acp_hot_sources})
  add_library(acphys_hot OBJECT ${acp_hot_sources})
  set_source_files_properties(${acp_hot_sources} PROPERTIES UNITY_GROUP hot)
  set_target_properties(acphys_hot PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # At -O3, which unrolls the loops over a mover's two spheres, and with room to expand the whole of a sub-step in line: a call of these
  # small functions costs more in vectors passed through memory than what it does. A fifth of a sub-step, for 0.3 MB of
  # code (clang expands enough by itself).
  target_compile_options(acphys_hot PRIVATE $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-O3>)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    foreach(limit max-inline-insns-auto=400 inline-unit-growth=500 large-unit-insns=100000 large-function-insns=20000
        large-function-growth=2000 large-stack-frame-growth=5000)
      target_compile_options(acphys_hot PRIVATE "SHELL:--param ${limit}")
    endforeach()
  endif()
endif()
