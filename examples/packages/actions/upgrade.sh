#!/bin/sh
# Upgrades a host. What it may know is in its environment; exit code 0 means done, any other fails the host.
set -eu
. ./lib/report.sh

wanted=$(cat "$MAINTENANCE_DIRECTORY/release.txt")
marker="$MAINTENANCE_DIRECTORY/.upgraded-$MAINTENANCE_HOST" # goes with the session

# It may run again after a crash of the worker: look first, then act.
if [ -e "$marker" ]; then
  report "$MAINTENANCE_HOST has release $wanted already"
  exit 0
fi

report "upgrading $MAINTENANCE_HOST ($MAINTENANCE_HOST_TYPE) to release $wanted"
# Here the real work would be: ssh, ansible, a call to the host's management controller.
sleep 1
: >"$marker"
report "$MAINTENANCE_HOST has release $wanted"
