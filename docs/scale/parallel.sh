#!/usr/bin/env bash
# A study by GNU parallel, in the folder of the study:
#
#   parallel.sh study.toml 16 reports
#
# What follows the folder is handed on to `grapeshot run`, such as --trials 1000000. Shards that fail are
# tried twice more. Run it again after anything worse: parts that are there are left alone. For other
# machines that see the same folder, name them in PARALLEL, which GNU parallel reads:
# PARALLEL='--sshlogin anne,bob --workdir .' parallel.sh study.toml 16 reports
set -euo pipefail

study=${1:?the study, a TOML file}
shards=${2:?how many shards there are}
out=${3:?the folder for the result}
shift 3
grapeshot=${GRAPESHOT:-grapeshot}

mkdir -p parts
# One thread each: there are as many shards at a time as there are cores.
seq "$shards" | parallel --will-cite --quote --retries 3 --halt soon,fail=1 \
    "$grapeshot" run "$study" --shard "{}/$shards" --out "parts/part-{}" --threads 1 --quiet "$@"
"$grapeshot" merge $(seq -f 'parts/part-%.0f' "$shards") --out "$out" --quiet
