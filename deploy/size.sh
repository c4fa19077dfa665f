#!/usr/bin/env bash
# Prints the size of the code and exits 1 if it exceeds the limits below.
# "Code" counts lines other than blank lines, comments, imports and package declarations.
# Usage: deploy/size.sh [DIRECTORY]   (default: the repository of this script)
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

max_main_lines=36000
max_main_code=22500
max_main_file=250
max_main_p90=180
max_test_file=400
max_test_lines=47768 # 5,000 fewer than before the restructuring

# One line per file: lines, lines of code, package below dev.latchkey, path.
measure() {
  find "$1" -name '*.java' -print0 | sort -z | xargs -0 awk -v root="$1/dev/latchkey" '
    function report() {
      if (file == "") return
      package = substr(file, length(root) + 2)
      sub(/\/?[^\/]*$/, "", package)
      gsub("/", ".", package)
      print lines, code, package == "" ? "(root)" : package, file
    }
    FNR == 1 { report(); file = FILENAME; lines = code = comment = text = 0 }
    {
      lines++
      line = $0
      if (text) { code += line !~ /^[ \t]*$/; if (line ~ /"""/) text = 0; next }
      if (line ~ /"""[ \t]*$/) { code++; text = 1; next }
      gsub(/"([^"\\]|\\.)*"/, "s", line)
      gsub(/\047([^\047\\]|\\.)+\047/, "c", line)
      rest = ""
      while (line != "") {
        if (comment) {
          end = index(line, "*/")
          if (!end) break
          line = substr(line, end + 2)
          comment = 0
        } else {
          start = index(line, "/*")
          slashes = index(line, "//")
          if (slashes && (!start || slashes < start)) { rest = rest substr(line, 1, slashes - 1); break }
          if (!start) { rest = rest line; break }
          rest = rest substr(line, 1, start - 1)
          line = substr(line, start + 2)
          comment = 1
        }
      }
      if (rest !~ /^[ \t]*$/ && rest !~ /^(import|package) /) code++
    }
    END { report() }'
}

main=$(measure src/main/java)
test=$(measure src/test/java)

total() { awk -v column="$2" '{ sum += $column } END { print sum + 0 }' <<<"$1"; }
largest() { sort -rn <<<"$1" | awk -v count="$2" 'NR <= count'; }
p90=$(awk '{ print $1 }' <<<"$main" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR * 9 + 9) / 10)] }')

packages() {
  awk '{ files[$3]++; lines[$3] += $1; code[$3] += $2; if ($1 > big[$3]) big[$3] = $1 }
    END { for (p in files) printf "%-28s %5d %8d %8d %8d\n", p, files[p], lines[p], code[p], big[p] }' <<<"$1" | sort
}
for tree in main test; do
  printf '%-28s %5s %8s %8s %8s\n' "$tree" files lines code largest
  packages "${!tree}"
  echo
done
for tree in main test; do
  echo "Largest $tree files:"
  largest "${!tree}" 10 | awk '{ printf "%6d  %s\n", $1, $4 }'
  echo
done

failed=0
check() { # name, value, limit
  local verdict=ok
  if [ "$2" -gt "$3" ]; then verdict="OVER THE LIMIT" failed=1; fi
  printf '%-32s %8d  limit %6d  %s\n' "$1" "$2" "$3" "$verdict"
}
check "main lines" "$(total "$main" 1)" "$max_main_lines"
check "main code lines" "$(total "$main" 2)" "$max_main_code"
check "main file, 90th percentile" "$p90" "$max_main_p90"
check "main file, largest" "$(largest "$main" 1 | cut -d' ' -f1)" "$max_main_file"
check "test lines" "$(total "$test" 1)" "$max_test_lines"
check "test file, largest" "$(largest "$test" 1 | cut -d' ' -f1)" "$max_test_file"
exit "$failed"
