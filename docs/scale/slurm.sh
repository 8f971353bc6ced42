#!/usr/bin/env bash
# A study as a Slurm job array. From the folder of the study, on a file system that all nodes see:
#
#   mkdir -p parts
#   sbatch --array=1-16 slurm.sh study.toml 16
#   sbatch --dependency=afterok:JOB --wrap 'grapeshot merge parts/part-* --out reports'
#
# where JOB is the number that the first command prints. Failed tasks are sent again by their numbers,
# with the same count: sbatch --array=5,9 slurm.sh study.toml 16. What follows the count is handed on to
# `grapeshot run`, such as --trials 1000000.
#
#SBATCH --job-name=grapeshot
#SBATCH --cpus-per-task=2
#SBATCH --output=parts/%A_%a.log
#SBATCH --open-mode=append
set -euo pipefail

study=${1:?the study, a TOML file}
shards=${2:?how many shards there are in all}
shift 2
grapeshot=${GRAPESHOT:-grapeshot}

exec "$grapeshot" run "$study" \
    --shard "auto/$shards" --out "parts/part-$SLURM_ARRAY_TASK_ID" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet "$@"
