"""Makes and prints .npy files without NumPy: npy.py make FILE DESCR SHAPE BYTES [VERSION [ORDER]], npy.py show FILE."""
import struct
import sys

if sys.argv[1] == "make":
    path, descr, shape, data = sys.argv[2:6]
    version = int(sys.argv[6]) if len(sys.argv) > 6 else 1
    order = sys.argv[7] if len(sys.argv) > 7 else "False"
    header = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)))
        file.write(header + bytes.fromhex(data))
else:
    with open(sys.argv[2], "rb") as file:
        content = file.read()
    length = struct.unpack("<H", content[8:10])[0]
    print(content[10 : 10 + length].decode().strip(), content[10 + length :].hex(), (10 + length) % 64)
