#!/bin/bash
# Process 1 of a node, in namespaces of its own: joins the network, makes a root file system of its own, and starts
# containerd and the kubelet. The variables are set by ../nodes.ts. SIGHUP reboots the node in an orderly way.
#   init.sh <folder of the node> <name>
set -eu
folder=$1 name=$2 disk=$1/disk

# Everything of the network but the other end of this cable goes with the node.
in_fabric() { nsenter --net="/proc/$FABRIC/ns/net" "$@"; }
in_fabric ip link delete "$name" 2>/dev/null || true
in_fabric ip link add "$name" type veth peer name eth0 address "$MAC" netns 1
in_fabric ip link set "$name" master br0 up
ip link set lo up
ip address add "$ADDRESS/24" dev eth0
ip link set eth0 up
ip route add default via "$GATEWAY"
echo 1 >/proc/sys/net/ipv4/ip_forward

# The disk keeps /etc, /var and /root. Programs come from the machine, read-only; nothing else of it can be seen.
mount --make-rprivate /
mkdir -p "$disk"/{dev,etc/cni/net.d,etc/kubernetes,proc,root,run,sys,tmp,usr,var/log,var/lib/kubelet,var/lib/containerd,.old}
for link in bin lib lib64 sbin; do ln -sfn "usr/$link" "$disk/$link"; done
mount --bind "$disk" "$disk"
cd "$disk"
mount --bind /usr usr && mount -o remount,bind,ro usr
mount -t tmpfs tmpfs usr/local
mkdir -p usr/local/{bin,kubernetes,containerd,debian,images}
for pair in "$KUBERNETES kubernetes" "$CONTAINERD containerd" "$DEBIAN debian" "$IMAGES images"; do
  mount --bind "${pair% *}" "usr/local/${pair#* }" && mount -o remount,bind,ro "usr/local/${pair#* }"
done
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
mkdir -p run/netns
ln -sfn /run var/run
mount -t proc proc proc
mount -t sysfs sysfs sys && mount -o remount,bind,ro sys
mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
while read -r hierarchy options _; do
  mkdir "sys/fs/cgroup/$hierarchy"
  mount -t cgroup -o "$options" cgroup "sys/fs/cgroup/$hierarchy"
done <"$folder/cgroups"
mount -t tmpfs -o mode=755 tmpfs dev
for node in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0 kmsg:1:11; do
  IFS=: read -r file major minor <<<"$node"
  mknod -m 666 "dev/$file" c "$major" "$minor"
done
mkdir dev/{pts,shm,mqueue}
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs dev/shm
mount -t mqueue mqueue dev/mqueue
ln -s /proc/self/fd dev/fd

# The kubelet finds set what it would set for the whole machine, and this boot has an ID of its own.
fake() { echo "$2" >"run/fake-${1//\//-}" && mount --bind "run/fake-${1//\//-}" "proc/sys/$1"; }
fake vm/overcommit_memory 1
fake vm/panic_on_oom 0
fake kernel/panic 10
fake kernel/panic_on_oops 1
fake kernel/keys/root_maxkeys 1000000
fake kernel/keys/root_maxbytes 25000000
fake kernel/random/boot_id "$(cat "$folder/boot_id")"

cp /etc/os-release /etc/passwd /etc/group /etc/nsswitch.conf etc/
[ -s etc/machine-id ] || tr -d - </proc/sys/kernel/random/uuid >etc/machine-id
echo "127.0.0.1 localhost" >etc/hosts
: >etc/resolv.conf
cp "$folder/kubeconfig" "$folder/kubelet.yaml" etc/kubernetes/
cp "$(dirname "$0")/containerd.toml" etc/containerd.toml
cat >etc/cni/net.d/pods.conflist <<CNI
{"cniVersion": "1.0.0", "name": "pods", "plugins": [{"type": "bridge", "bridge": "cni0", "isGateway": true,
 "ipam": {"type": "host-local", "ranges": [[{"subnet": "$POD_RANGE"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
CNI
cat >usr/local/bin/systemctl <<'CONTROL'
#!/bin/sh
# The part of systemd that this node has.
[ "$1" = reboot ] || { echo "this node can only reboot" >&2; exit 1; }
kill -HUP 1
CONTROL
chmod 755 usr/local/bin/systemctl
echo "$name" >/proc/sys/kernel/hostname
forgets=no
[ ! -e "$folder/forgets" ] || forgets=yes

pivot_root . .old
cd /
umount -l /.old
mount --make-rshared /
export PATH=/usr/local/bin:/usr/local/kubernetes:/usr/local/containerd:/usr/local/debian/usr/sbin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
export TMPDIR=/tmp # that of the machine is not here

end() { # as an init does it: all are told to end, and after 10 s the rest is killed with this process
  kill -TERM -1
  for ((i = 0; i < 100; i++)); do
    local left=(/proc/[1-9]*)
    [ "${#left[@]}" -gt 1 ] || break
    sleep 0.1
  done
  exit 0
}
trap end HUP
keep() { # <name> <command...>: started again when it ends, as by an init
  while :; do
    "${@:2}" >>"/var/log/$1.log" 2>&1 || echo "$1 ended: $?" >>"/var/log/$1.log"
    sleep 1
  done
}
[ "$forgets" = no ] || rm -rf /var/lib/containerd/*
keep containerd containerd --config /etc/containerd.toml &
until ctr version >/dev/null 2>&1; do sleep 0.2; done
for image in /usr/local/images/*.tar; do
  mark=/var/lib/containerd/$(basename "$image")
  [ "$mark" -nt "$image" ] || { ctr -n k8s.io images import "$image" && touch "$mark"; }
done
keep kubelet kubelet --kubeconfig /etc/kubernetes/kubeconfig --config /etc/kubernetes/kubelet.yaml \
  --hostname-override "$name" --node-ip "$ADDRESS" --node-labels "topology.kubernetes.io/zone=$ZONE" &
while :; do wait || true; done
