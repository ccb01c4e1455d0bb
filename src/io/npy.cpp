#include "io/npy.h"

#include <ATen/ATen.h>

#include <array>
#include <set>

#include "base/error.h"
#include "io/atomic_file.h"

namespace attnscope {
namespace {

// numpy's type string; "" when numpy has no such type.
std::string descr(c10::ScalarType dtype) {
  switch (dtype) {
    case at::kBool: return "|b1";
    case at::kByte: return "|u1";
    case at::kChar: return "|i1";
    case at::kUInt16: return "<u2";
    case at::kShort: return "<i2";
    case at::kUInt32: return "<u4";
    case at::kInt: return "<i4";
    case at::kUInt64: return "<u8";
    case at::kLong: return "<i8";
    case at::kHalf: return "<f2";
    case at::kFloat: return "<f4";
    case at::kDouble: return "<f8";
    case at::kComplexFloat: return "<c8";
    case at::kComplexDouble: return "<c16";
    default: return {};
  }
}

at::Tensor dense(const at::Tensor& tensor, const std::string& path) {
  if (!tensor.defined()) throw WriteError("the tensor has no value", path);
  at::Tensor ready = tensor.detach().to(at::kCPU);
  if (descr(ready.scalar_type()).empty()) ready = ready.to(at::kFloat);
  return ready.contiguous();
}

// Version 1.0: magic, header length, a Python dict padded with spaces so that the data begin at a multiple of 64.
std::string npy_header(const at::Tensor& tensor) {
  std::string shape;
  for (const int64_t size : tensor.sizes()) shape += std::to_string(size) + ", ";
  if (tensor.dim() > 1) shape.resize(shape.size() - 2);
  if (tensor.dim() == 1) shape.pop_back();  // "3,": a tuple of one
  std::string dict =
      "{'descr': '" + descr(tensor.scalar_type()) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t kPreamble = 10;
  dict.resize((kPreamble + dict.size() + 1 + 63) / 64 * 64 - kPreamble - 1, ' ');
  dict += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dict.size() & 0xFF);
  header += static_cast<char>(dict.size() >> 8);
  return header + dict;
}

uint32_t crc32(uint32_t crc, const void* data, std::size_t bytes) {
  // Eight tables, so that eight bytes go at once ("slicing by 8"): maps of a long run are gigabytes.
  static const auto kTables = [] {
    std::array<std::array<uint32_t, 256>, 8> tables{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
      tables[0][i] = value;
    }
    for (std::size_t t = 1; t < 8; ++t)
      for (std::size_t i = 0; i < 256; ++i) tables[t][i] = tables[t - 1][i] >> 8 ^ tables[0][tables[t - 1][i] & 0xFF];
    return tables;
  }();
  const auto* at = static_cast<const unsigned char*>(data);
  crc = ~crc;
  for (; bytes >= 8; bytes -= 8, at += 8) {
    crc ^= static_cast<uint32_t>(at[0]) | static_cast<uint32_t>(at[1]) << 8 | static_cast<uint32_t>(at[2]) << 16 |
           static_cast<uint32_t>(at[3]) << 24;
    crc = kTables[7][crc & 0xFF] ^ kTables[6][crc >> 8 & 0xFF] ^ kTables[5][crc >> 16 & 0xFF] ^ kTables[4][crc >> 24] ^
          kTables[3][at[4]] ^ kTables[2][at[5]] ^ kTables[1][at[6]] ^ kTables[0][at[7]];
  }
  for (; bytes > 0; --bytes, ++at) crc = crc >> 8 ^ kTables[0][(crc ^ *at) & 0xFF];
  return ~crc;
}

void put(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

struct ZipEntry {
  std::string name;
  uint32_t crc = 0;
  uint64_t size = 0;
  uint64_t offset = 0;
};

// What local and central headers share. Every size is in a ZIP64 field, so that there is one case only.
void put_common(std::string& out, const ZipEntry& entry, uint16_t extra_bytes) {
  put(out, 45, 2);      // version that knows ZIP64
  put(out, 0x0800, 2);  // the name is UTF-8
  put(out, 0, 2);       // stored
  put(out, 0, 2);       // time
  put(out, 0x21, 2);    // 1980-01-01: the same tensors give the same bytes
  put(out, entry.crc, 4);
  put(out, 0xFFFFFFFF, 4);
  put(out, 0xFFFFFFFF, 4);
  put(out, entry.name.size(), 2);
  put(out, extra_bytes, 2);
}

std::string local_header(const ZipEntry& entry) {
  std::string out;
  put(out, 0x04034B50, 4);
  put_common(out, entry, 20);
  out += entry.name;
  put(out, 1, 2);
  put(out, 16, 2);
  put(out, entry.size, 8);
  put(out, entry.size, 8);
  return out;
}

std::string central_header(const ZipEntry& entry) {
  std::string out;
  put(out, 0x02014B50, 4);
  put(out, 45, 2);
  put_common(out, entry, 28);
  put(out, 0, 2);           // comment
  put(out, 0, 2);           // disk
  put(out, 0, 2);           // internal attributes
  put(out, 0, 4);           // external attributes
  put(out, 0xFFFFFFFF, 4);  // offset: in the ZIP64 field
  out += entry.name;
  put(out, 1, 2);
  put(out, 24, 2);
  put(out, entry.size, 8);
  put(out, entry.size, 8);
  put(out, entry.offset, 8);
  return out;
}

std::string end_of_zip(uint64_t entries, uint64_t directory_bytes, uint64_t directory_offset) {
  std::string out;
  put(out, 0x06064B50, 4);
  put(out, 44, 8);
  put(out, 45, 2);
  put(out, 45, 2);
  put(out, 0, 4);
  put(out, 0, 4);
  put(out, entries, 8);
  put(out, entries, 8);
  put(out, directory_bytes, 8);
  put(out, directory_offset, 8);
  put(out, 0x07064B50, 4);
  put(out, 0, 4);
  put(out, directory_offset + directory_bytes, 8);
  put(out, 1, 4);
  put(out, 0x06054B50, 4);
  put(out, 0, 2);
  put(out, 0, 2);
  put(out, std::min<uint64_t>(entries, 0xFFFF), 2);
  put(out, std::min<uint64_t>(entries, 0xFFFF), 2);
  put(out, std::min<uint64_t>(directory_bytes, 0xFFFFFFFF), 4);
  put(out, std::min<uint64_t>(directory_offset, 0xFFFFFFFF), 4);
  put(out, 0, 2);
  return out;
}

}  // namespace

void save_npy(const std::string& path, const at::Tensor& tensor) {
  const at::Tensor ready = dense(tensor, path);
  AtomicFile file(path);
  file.write(npy_header(ready));
  file.write(ready.const_data_ptr(), ready.nbytes());
  file.commit();
}

void save_npz(const std::string& path, const NamedTensors& tensors) {
  std::set<std::string> names;
  for (const auto& [name, tensor] : tensors) {
    if (name.empty() || name.size() > 0xFF00) throw WriteError("an array needs a name of at most 65280 bytes", path);
    if (!names.insert(name).second) throw WriteError("the array name " + name + " cannot be used twice", path);
  }
  AtomicFile file(path);
  uint64_t offset = 0;
  const auto write = [&](const void* data, std::size_t bytes) {
    file.write(data, bytes);
    offset += bytes;
  };
  std::string directory;
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor ready = dense(tensor, path);
    const std::string header = npy_header(ready);
    ZipEntry entry{name + ".npy", crc32(0, header.data(), header.size()), header.size() + ready.nbytes(), offset};
    entry.crc = crc32(entry.crc, ready.const_data_ptr(), ready.nbytes());
    const std::string local = local_header(entry);
    write(local.data(), local.size());
    write(header.data(), header.size());
    write(ready.const_data_ptr(), ready.nbytes());
    directory += central_header(entry);
  }
  const std::string end = end_of_zip(tensors.size(), directory.size(), offset);
  file.write(directory);
  file.write(end);
  file.commit();
}

}  // namespace attnscope
