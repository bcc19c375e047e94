#!/usr/bin/env bash
# hosts.sh up FOLDER COUNT | down FOLDER   Hosts with a libvirtd each, in namespaces of their own (network, mounts, name).
# Their libvirtds speak to each other without a login, on a bridge that nothing outside the namespaces reaches.
set -euo pipefail
folder=$2 prefix=pg
up() {
  mkdir -p "$folder/instances"
  ip netns add ${prefix}br
  ip -n ${prefix}br link add br0 type bridge
  ip -n ${prefix}br link set br0 up
  { echo 127.0.0.1 localhost; for i in $(seq "$1"); do echo "10.77.0.$i compute-$i"; done; } > "$folder/hosts"
  # Debian's libvirtd wants its usual user to have a name
  { cat /etc/passwd; echo libvirt-qemu:x:64055:64055::/var/lib/libvirt:/bin/false; } > "$folder/passwd"
  { cat /etc/group; echo libvirt-qemu:x:64055:; } > "$folder/group"
  for i in $(seq "$1"); do start "$i"; done
}
start() {
  local i=$1 host=$folder/compute-$1
  mkdir -p "$host"/{run,etc,var,log,cache}
  ip netns add $prefix"$i"
  ip link add ${prefix}v"$i" netns $prefix"$i" type veth peer name p"$i" netns ${prefix}br
  ip -n ${prefix}br link set p"$i" master br0 up
  ip -n $prefix"$i" addr add 10.77.0."$i"/24 dev ${prefix}v"$i"
  ip -n $prefix"$i" link set ${prefix}v"$i" up
  ip -n $prefix"$i" link set lo up
  printf '%s\n' 'listen_tls=0' 'listen_tcp=1' "listen_addr=\"10.77.0.$i\"" 'auth_tcp="none"' 'auth_unix_rw="none"' \
    "host_uuid=\"$(cat /proc/sys/kernel/random/uuid)\"" 'unix_sock_rw_perms="0700"' \
    "log_outputs=\"3:file:$host/log/libvirtd.log\"" > "$host/etc/libvirtd.conf"
  printf '%s\n' 'security_driver="none"' 'user="root"' 'group="root"' 'cgroup_controllers=[]' 'namespaces=[]' \
    'dynamic_ownership=0' 'remember_owner=0' 'stdio_handler="file"' "migration_host=\"10.77.0.$i\"" > "$host/etc/qemu.conf"
  ip netns exec $prefix"$i" unshare -m -u -- bash -c '
    set -e; mount --make-rprivate /; hostname compute-'"$i"'
    mkdir -p /run/libvirt /etc/libvirt /var/lib/libvirt /var/log/libvirt /var/cache/libvirt
    mount --bind '"$host"'/run /run/libvirt; mount --bind '"$host"'/etc /etc/libvirt
    mount --bind '"$host"'/var /var/lib/libvirt; mount --bind '"$host"'/log /var/log/libvirt
    mount --bind '"$host"'/cache /var/cache/libvirt
    for file in hosts passwd group; do mount --bind '"$folder"'/$file /etc/$file; done
    virtlogd -d -p '"$host"'/virtlogd.pid
    libvirtd -d -l -p '"$host"'/libvirtd.pid'
}
down() {
  for file in "$folder"/compute-*/run/qemu/instance-*.pid "$folder"/compute-*/{libvirtd,virtlogd}.pid; do
    [ -s "$file" ] && kill "$(cat "$file")" 2> /dev/null || :
  done
  sleep 1
  for name in $(ip netns list | awk '$1 ~ /^'$prefix'([0-9]+|br)$/ {print $1}'); do
    for process in $(ip netns pids "$name"); do kill -9 "$process" 2> /dev/null || :; done
    ip netns del "$name"
  done
}
case $1 in up) up "$3" ;; down) down ;; esac
