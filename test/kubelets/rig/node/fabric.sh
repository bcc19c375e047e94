#!/bin/bash
# The network between the nodes, in a namespace of its own in which the control plane runs too: a bridge, and a route to
# the pods of each node. It lasts as long as the forwarder (../forward.mjs), which joins it to the machine.
#   fabric.sh <address of the bridge> <address of the API service> <node>,<pods>... -- <command of the forwarder...>
set -eu
gateway=$1 service=$2
shift 2
ip link set lo up
ip address add "$service/32" dev lo
ip link add br0 address 02:00:00:00:00:01 type bridge # else it changes with each node that comes or goes
ip address add "$gateway/24" dev br0
ip link set br0 up
ip route add default dev br0 # kube-apiserver does not start without one
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 0 >/proc/sys/net/ipv4/conf/br0/send_redirects
while [ "$1" != -- ]; do
  ip route add "${1#*,}" via "${1%,*}"
  shift
done
shift
exec "$@"
