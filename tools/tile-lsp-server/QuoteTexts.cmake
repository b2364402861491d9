# Writes text files as one C++ string: cmake -Dtexts=a.md;b.md -Doutput=c.inc -P QuoteTexts.cmake
set(all "")
foreach(file IN LISTS texts)
  file(READ ${file} text)
  # One literal for each file: a compiler may limit the length of one.
  string(APPEND all "R\"documentation(${text})documentation\"\n")
endforeach()
file(WRITE ${output} "${all}")
