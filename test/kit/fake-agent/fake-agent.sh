#!/bin/sh
# An agent CLI in miniature, started in a millisecond. Its arguments are a script of verbs:
#   fake-agent.sh events 3 sleep 0.1 garbage exit 5
# Every verb but `exit` and `die` goes on with the next one; after the last it ends with 0.
here=$(dirname "$0")

while [ $# -gt 0 ]; do
  verb=$1
  shift
  case $verb in
    log) echo "$KUROMAJUTSU_AGENT_ID" >>"$1"; shift ;;
    events) awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) printf "{\"type\":\"tool_started\",\"callId\":\"c%d\",\"tool\":\"shell\"}\n", i }'; shift ;;
    deltas) awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) printf "{\"type\":\"delta\",\"text\":\"<%d>\"}\n", i }'; shift ;;
    line) printf '%s\n' "$1"; shift ;;
    part) printf '%s' "$1"; shift ;;
    bytes) printf "$1"; shift ;;
    message) printf '{"type":"message","text":"%s"}\n' "$1"; shift ;;
    wrote) printf '{"type":"tool_finished","callId":"c","tool":"edit","ok":true,"files":[{"path":"%s","change":"unknown"}]}\n' "$1"; shift ;;
    end) printf '{"type":"end","ok":true,"text":"%s","durationMs":1,"error":null}\n' "$1"; shift ;;
    garbage) printf 'no event\n\377\376\n{"half":\n' ;;
    long) head -c "$1" /dev/zero | tr '\0' x; echo; shift ;;
    stderr) head -c "$1" /dev/zero | tr '\0' e >&2; shift ;;
    complain) printf '%s' "$1" >&2; shift ;;
    touch) : >"$1"; shift ;;
    env) env >"$1"; shift ;;
    stdin) wc -c >"$1"; shift ;;
    sleep) sleep "$1"; shift ;;
    await) until [ -e "$1" ]; do sleep 0.02; done; shift ;;
    deaf) trap '' TERM INT ;;
    hang) while :; do sleep 0.05; done ;;
    flood) while :; do echo '{"type":"retry","reason":"flood"}'; done ;;
    child) sleep 600 & echo $! >"$1"; shift ;;
    # A grandchild in a session of its own that holds stdout: `session` with, `bare` without our
    # environment. Its parent lives on for so many milliseconds.
    session) "$NODE" "$here/detach.mjs" "$1" marked 0; shift ;;
    bare) "$NODE" "$here/detach.mjs" "$1" bare "$2" & shift 2 ;;
    # Kills the wrapper that started us.
    orphan) kill -9 "$PPID" ;;
    die) kill -9 $$ ;;
    exit) exit "$1" ;;
    *) echo "unknown verb $verb" >&2; exit 64 ;;
  esac
done
