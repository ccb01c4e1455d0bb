# Finds libtorch without its own CMake files, which demand a CUDA toolkit when the wheel was built with CUDA.
#
# Looks in -DLIBTORCH_ROOT=FOLDER alone if that is given (a wheel's folder named torch, the site-packages folder around
# it, an unpacked libtorch, or a prefix such as /usr); else in the project's .venv, CMAKE_PREFIX_PATH and the system.
# Defines LibTorch::LibTorch, LibTorch_VERSION, LibTorch_ROOT_DIR and LibTorch_CUDA (whether it was built with CUDA).

set(LIBTORCH_ROOT "" CACHE PATH "Folder that holds libtorch's include/ and lib/ (a wheel's torch folder, or a prefix)")
set(_hint "Run ./dev setup, or give -DLIBTORCH_ROOT=FOLDER (a torch wheel's folder named torch, or a prefix such as /usr).")
set(_minimum 2.6)

set(_roots ${LIBTORCH_ROOT})
if(NOT LIBTORCH_ROOT)
  file(GLOB _wheels ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch)
  set(_roots ${_wheels} ${CMAKE_PREFIX_PATH} ${CMAKE_SYSTEM_PREFIX_PATH})
endif()
find_path(LibTorch_INCLUDE_DIR ATen/core/Tensor.h HINTS ${_roots} PATH_SUFFIXES include torch/include
          NO_DEFAULT_PATH NO_CACHE)
if(LIBTORCH_ROOT AND NOT LibTorch_INCLUDE_DIR)
  message(FATAL_ERROR "No libtorch in LIBTORCH_ROOT=${LIBTORCH_ROOT}: there is no include/ATen/core/Tensor.h. ${_hint}")
endif()

if(LibTorch_INCLUDE_DIR)
  get_filename_component(LibTorch_ROOT_DIR ${LibTorch_INCLUDE_DIR} DIRECTORY)
  foreach(_lib torch torch_cpu c10 torch_cuda c10_cuda)
    find_library(LibTorch_${_lib}_LIBRARY ${_lib} NO_DEFAULT_PATH NO_CACHE
                 HINTS ${LibTorch_ROOT_DIR}/lib ${LibTorch_ROOT_DIR}/lib/${CMAKE_LIBRARY_ARCHITECTURE})
  endforeach()
  # Since 2.9 the numbers live in the first of these.
  foreach(_header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
    if(NOT LibTorch_VERSION AND EXISTS ${LibTorch_INCLUDE_DIR}/${_header})
      file(STRINGS ${LibTorch_INCLUDE_DIR}/${_header} _lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
      string(REGEX MATCHALL "[0-9]+" _numbers "${_lines}")
      list(JOIN _numbers "." LibTorch_VERSION)
    endif()
  endforeach()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_torch_LIBRARY LibTorch_torch_cpu_LIBRARY LibTorch_c10_LIBRARY LibTorch_INCLUDE_DIR
  VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "${_hint}")

if(LibTorch_FOUND AND LibTorch_VERSION AND LibTorch_VERSION VERSION_LESS _minimum)
  message(FATAL_ERROR "libtorch ${LibTorch_VERSION} in ${LibTorch_ROOT_DIR} is too old: ${_minimum} or newer is needed "
                      "(./dev setup --torch=wheel).")
endif()

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  # Wheels before 2.7 and "pre-cxx11 ABI" downloads use std::string of the old ABI; linking would fail name by name.
  file(STRINGS ${LibTorch_c10_LIBRARY} _new_abi REGEX "3c10.*NSt7__cxx1112basic_string" LIMIT_COUNT 1)
  if(NOT _new_abi)
    message(FATAL_ERROR "libtorch in ${LibTorch_ROOT_DIR} was built with the old C++ ABI (pre-cxx11): use a wheel of "
                        "2.7 or newer (./dev setup --torch=wheel).")
  endif()

  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE ${LibTorch_INCLUDE_DIR}
                             ${LibTorch_INCLUDE_DIR}/torch/csrc/api/include)
  set(LibTorch_CUDA OFF)
  if(LibTorch_torch_cuda_LIBRARY AND LibTorch_c10_cuda_LIBRARY)
    set(LibTorch_CUDA ON)
    # Nothing refers to these by name, yet without them in the process there is no CUDA device. What they need in turn
    # lies in folders of its own (or in the driver), which only the loader has to find.
    target_link_libraries(LibTorch::LibTorch INTERFACE -Wl,--allow-shlib-undefined -Wl,--push-state,--no-as-needed
                          ${LibTorch_torch_cuda_LIBRARY} ${LibTorch_c10_cuda_LIBRARY} -Wl,--pop-state)
  endif()
  target_link_libraries(LibTorch::LibTorch INTERFACE -Wl,--push-state,--no-as-needed ${LibTorch_torch_cpu_LIBRARY}
                        -Wl,--pop-state ${LibTorch_torch_LIBRARY} ${LibTorch_c10_LIBRARY})
  message(STATUS "libtorch ${LibTorch_VERSION}: ${LibTorch_ROOT_DIR} (CUDA: ${LibTorch_CUDA})")
endif()
