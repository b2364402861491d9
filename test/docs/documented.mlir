// Every op is documented and tested, every example of the documentation is tested, and no file is too long.
// RUN: python3 %S/documented.py %S/../..
