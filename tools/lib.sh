# shellcheck shell=sh disable=SC2034,SC2154
# Sourced by the scripts of this folder: a private folder, a clean end, a copy of the sources.

# what an outer make -j passes on makes no sense to ours; variables given on its command line do
case ${MAKEFLAGS-} in
  *'-- '*) MAKEFLAGS="-- ${MAKEFLAGS#*-- }" ;;
  *) MAKEFLAGS= ;;
esac
PG_CONFIG=$(command -v "${PG_CONFIG:-pg_config}") || PG_CONFIG=pg_config
export MAKEFLAGS MAKE="${MAKE:-make}" PG_CONFIG
unset MAKELEVEL MFLAGS
jobs=$(nproc 2>/dev/null || echo 1)
[ -e /proc/self/fd/0 ] || exec </dev/null

# scratch NAME: make the folder $w, removed when the script ends, by whatever signal.
# Always under /tmp: a server that root starts runs as another user, and socket paths are short.
scratch() {
  w=$(mktemp -d "/tmp/$1.XXXXXX")
  chmod 755 "$w"
  child=
  trap 'rc=$?; trap "" HUP INT TERM; end; exit $rc' EXIT
  trap 'stop 129' HUP; trap 'stop 130' INT; trap 'stop 143' TERM
}

# what a script wants done before its folder goes; it may define its own
end() { remove; }

remove() { cd / && rm -rf "$w"; }

stop() {
  trap '' HUP INT TERM
  for c in $child; do kill "$c" 2>/dev/null || :; done
  for c in $child; do wait "$c" || :; done
  exit "$1"
}

# run COMMAND...: like the command itself, but a signal sent to this script alone ends the command too. (A
# shell runs its traps only when the foreground command is over. On a terminal all processes get the signal,
# and the command needs stdin.)
run() {
  if [ -t 0 ]; then (exec "$@"); return; fi
  exec 3<&0
  (exec "$@" <&3 3<&-) &
  child=$!
  exec 3<&-
  wait_rc=0; wait "$child" || wait_rc=$?
  child=
  return "$wait_rc"
}

# lane NAME COMMAND...: start COMMAND beside what else runs; what it says is kept for lanes
lane() {
  lane_name=$1; shift
  (exec "$@" >"$w/lane.$lane_name" 2>&1 </dev/null) &
  child="$child $!"
  lane_names="${lane_names-} $lane_name:$!"
}

# lanes: wait for all of them in the order they were started in, each one's output in one piece; false when
# one has failed
lanes() {
  lanes_rc=0
  for c in ${lane_names-}; do
    wait "${c#*:}" || lanes_rc=1
    cat "$w/lane.${c%:*}"
  done
  child=
  lane_names=
  return "$lanes_rc"
}

# copy_sources DIR: the files of the current folder without the repository's history and what builds leave
copy_sources() {
  tar -cf - --anchored --exclude=./.git --exclude=./coverage --exclude=./results --exclude=./output_iso \
    --exclude='./tmp_check*' --exclude='./regression.*' --no-anchored --exclude='*.o' --exclude='*.so' \
    --exclude='*.bc' --exclude='*.gc??' . | tar -xf - -C "$1" --no-same-owner
}

# in_root ROOT COMMAND...: become COMMAND in the folder ROOT, with mounts that end with it
# shellcheck disable=SC2016
in_root() {
  exec unshare -m --propagation private sh -c '
    r=$1; shift
    mount -t proc proc "$r/proc" && mount --rbind /dev "$r/dev" || exit 9
    cd / && exec chroot "$r" /usr/bin/env -i \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
      DEBIAN_FRONTEND=noninteractive "$@"' sh "$@"
}
