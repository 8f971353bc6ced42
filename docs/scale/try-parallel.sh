#!/usr/bin/env bash
# Tries parallel.sh for real: shares a study out by GNU parallel, and compares the result with that of one
# process, file by file.
#
#   try-parallel.sh [GRAPESHOT [STUDY [SHARDS [TRIALS]]]]
#
# Installs GNU parallel if it is not there (Debian, as root).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
grapeshot=$(realpath "${1:-$here/../../target/release/grapeshot}")
study=$(realpath "${2:-$here/../../experiments/acw28/acw28-battle-numbers.toml}")
shards=${3:-16}
trials=${4:-20000}

command -v parallel >/dev/null || apt-get install -y --no-install-recommends parallel
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$grapeshot" run "$study" --trials "$trials" --out whole --quiet
GRAPESHOT=$grapeshot "$here/parallel.sh" "$study" "$shards" merged --trials "$trials"
diff -r whole merged
echo "GNU parallel, $shards shards: $(find whole -type f | wc -l) files, the same bytes as from one process"
