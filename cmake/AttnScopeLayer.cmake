# One static library per folder of src/. A layer links only the layers it may include, so that an include that
# points upwards fails to link as well as the include test.

add_library(attnscope_options INTERFACE)
target_compile_options(attnscope_options INTERFACE -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers)
target_include_directories(attnscope_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_definitions(attnscope_options INTERFACE ATTNSCOPE_VERSION="${PROJECT_VERSION}")
if(ATTNSCOPE_SANITIZE)
  target_compile_options(attnscope_options INTERFACE -fsanitize=${ATTNSCOPE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(attnscope_options INTERFACE -fsanitize=${ATTNSCOPE_SANITIZE})
endif()

# attnscope_layer(<name> [TORCH] DEPS <libraries...>): builds every .cpp of the current folder as attnscope_<name>.
# TORCH layers share one precompiled ATen header (compiling it takes 9 s a file otherwise).
function(attnscope_layer name)
  cmake_parse_arguments(arg "TORCH" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(attnscope_${name} STATIC ${sources})
  target_link_libraries(attnscope_${name} PUBLIC attnscope_options ${arg_DEPS})
  if(arg_TORCH)
    target_link_libraries(attnscope_${name} PUBLIC LibTorch::LibTorch)
    attnscope_torch_pch(attnscope_${name})
  endif()
endfunction()

function(attnscope_torch_pch target)
  target_compile_options(${target} PRIVATE -fpch-preprocess)
  if(NOT TARGET attnscope_torch_pch)
    file(WRITE ${CMAKE_BINARY_DIR}/torch_pch.cpp "// carries the precompiled header\n")
    add_library(attnscope_torch_pch STATIC ${CMAKE_BINARY_DIR}/torch_pch.cpp)
    target_link_libraries(attnscope_torch_pch PUBLIC attnscope_options LibTorch::LibTorch)
    target_compile_options(attnscope_torch_pch PRIVATE -fpch-preprocess)
    target_precompile_headers(attnscope_torch_pch PRIVATE <ATen/ATen.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM attnscope_torch_pch)
endfunction()
