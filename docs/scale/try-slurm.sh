#!/usr/bin/env bash
# Tries slurm.sh for real on a Slurm of one machine: installs it (Debian's slurm-wlm), starts it under a
# folder of its own, sends the array and the merge, compares the result with that of one process, file by
# file, and stops what it started. As root, on a machine that has no Slurm running.
#
#   try-slurm.sh [GRAPESHOT [STUDY [SHARDS [TRIALS]]]]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
grapeshot=$(realpath "${1:-$here/../../target/release/grapeshot}")
study=$(realpath "${2:-$here/../../experiments/acw28/acw28-battle-numbers.toml}")
shards=${3:-16}
trials=${4:-20000}

[ "$(id -u)" = 0 ] || { echo "as root, please: Slurm's services start as root" >&2; exit 1; }
if ! command -v slurmctld >/dev/null; then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends slurm-wlm munge
fi

work=$(mktemp -d)
chmod 755 "$work"
cd "$work"
mkdir state spool parts

# Only processes that were started here are ended, by their ids.
started=()
stop() {
    code=$?
    [ "$code" = 0 ] || tail -n 20 ./*.log munge/log
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap stop EXIT

# Munge vouches for who sends a job. Its key and its socket are kept here, apart from those of the system.
install -d -o munge -g munge -m 755 munge
dd if=/dev/urandom of=munge/key bs=128 count=8 status=none
chown munge:munge munge/key
chmod 400 munge/key
setpriv --reuid=munge --regid=munge --clear-groups munged --foreground \
    --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" >munge.log 2>&1 &
started+=($!)

cat >slurm.conf <<CONF
ClusterName=trial
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
# Without cgroups and without a database: neither is needed for one machine.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
# A core for each job, whatever memory it takes.
SelectTypeParameters=CR_Core
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ReturnToService=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
slurmctld -D >/dev/null 2>&1 &
started+=($!)
slurmd -D -N "$(hostname -s)" >/dev/null 2>&1 &
started+=($!)
for _ in $(seq 60); do
    sinfo --noheader --format=%T 2>/dev/null | grep -q '^idle' && break
    sleep 1
done
sinfo

"$grapeshot" run "$study" --trials "$trials" --out whole --quiet

export GRAPESHOT=$grapeshot
cores=$(( $(nproc) < 2 ? $(nproc) : 2 ))
array=$(sbatch --parsable --array="1-$shards" --cpus-per-task="$cores" \
    "$here/slurm.sh" "$study" "$shards" --trials "$trials")
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --output=merge.log \
    --wrap "'$grapeshot' merge parts/part-* --out merged --quiet")
for _ in $(seq 600); do
    [ -z "$(squeue --noheader --jobs="$array,$merge" 2>/dev/null)" ] && break
    sleep 1
done
cat parts/*.log merge.log
diff -r whole merged
echo "Slurm $(sinfo --version | cut -d' ' -f2), an array of $shards: $(find whole -type f | wc -l) files, the same bytes as from one process"
