# Writes a source whose functions return the texts of files; run as a script when one of them changed.
# In: OUT, HEADER (what declares the functions), NAMESPACE, and FILES, a list of "function=path" separated by '|'.
string(REPLACE "|" ";" pairs "${FILES}")
set(body "")
foreach(pair IN LISTS pairs)
  string(REGEX MATCH "^([^=]+)=(.+)$" unused "${pair}")
  set(function ${CMAKE_MATCH_1})
  file(READ "${CMAKE_MATCH_2}" text)
  if(text MATCHES "\\)embedded\"")
    message(FATAL_ERROR "${CMAKE_MATCH_2}: holds the end of the literal that it is put into")
  endif()
  string(APPEND body "std::string_view ${function}() {\n    return R\"embedded(${text})embedded\";\n}\n")
endforeach()
file(WRITE "${OUT}" "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n${body}}  // namespace ${NAMESPACE}\n")
