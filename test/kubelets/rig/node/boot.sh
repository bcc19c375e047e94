#!/bin/bash
# Boots a node: moves into its cgroups, and starts its process 1 in namespaces of its own. When this ends, so does all
# that runs on the node.   boot.sh <folder of the node> <name>
set -eu
while read -r _ _ cgroup; do echo $$ >"$cgroup/cgroup.procs"; done <"$1/cgroups"
exec unshare --mount --uts --ipc --net --pid --cgroup --fork --kill-child "$(dirname "$0")/init.sh" "$1" "$2"
