#!/usr/bin/env bash
# Runs the commands of the guide in one shell, in a container, then checks the site. Stops at the first failure.
set -eu
guide=/srv/guide

# A container has no clock of its own that chrony could set. Everything else has to be in order.
dominoes() {
    if [ "$1" != check ]; then
        command dominoes "$@"
        return
    fi
    command dominoes check >$guide/check || true
    cat $guide/check
    ! grep FAULT $guide/check | grep --invert-match "FAULT time:"
}

# The repository gets a commit before the page about updates.
add_commit() {
    local repository=$guide/repository
    export GIT_{AUTHOR,COMMITTER}_NAME=Ann GIT_{AUTHOR,COMMITTER}_EMAIL=ann@example.org
    git -C $repository update-ref HEAD "$(git -C $repository commit-tree -p HEAD -m Change "HEAD^{tree}")"
}

status_of() { curl --insecure --silent --output /dev/null --max-time 5 --write-out '%{http_code}' "$@" || true; }

expect() {
    local status
    status=$(status_of "${@:2}")
    echo "${*:2}: $status" | tee --append $guide/figures
    test "$status" = "$1"
}

wait_for_targets() {
    for _ in {1..60}; do
        if curl --silent http://127.0.0.1:9090/api/v1/targets | python3 $guide/targets.py; then
            return
        fi
        sleep 1
    done
    return 1
}

socket=(--http1.1 --header "Connection: Upgrade" --header "Upgrade: websocket" --header "Sec-WebSocket-Version: 13"
    --header "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")

check_site() {
    local address=https://$DOMAIN
    expect 200 "$address/"
    expect 200 "$address/healthz"
    expect 301 "http://$DOMAIN/"
    expect 403 "$address/metrics"
    expect 101 "${socket[@]}" --header "Origin: $address" "$address/ws/lobby/"
    wait_for_targets
    certbot certonly --domain "$DOMAIN" --webroot-path /var/www/letsencrypt
    local units
    units=$(sed --quiet "s/^UNITS=//p" /etc/dominoes.env)
    for unit in ${units:-dominoes-web@8001 dominoes-web@8002 dominoes-clock} nginx dominoes-backup.timer; do
        systemctl is-active $unit
        systemctl is-enabled $unit
    done
}

# What scaling.md says about Redis.
check_outage_of_redis() {
    systemctl stop redis-server
    sleep 20
    expect 503 "https://$DOMAIN/healthz"
    expect 200 "https://$DOMAIN/"
    expect 200 "https://$DOMAIN/accounts/login/"
    systemctl start redis-server
    sleep 5
    expect 200 "https://$DOMAIN/healthz"
}

print_figures() {
    . /etc/os-release
    echo "$PRETTY_NAME, $(python3 --version), $(nginx -v 2>&1), $(redis-server --version | cut -d' ' -f3)"
    runuser -u postgres -- psql --tuples-only -c "SELECT version()" | head -1
    du --summarize --human-readable /srv/dominoes/current/ /srv/dominoes/repository /usr
    # Memory of the processes that have most of it.
    awk '/^Name/ {name = $2} /^VmRSS/ {print $2 / 1024 " MB " name}' /proc/[0-9]*/status | sort -nr | head -12
    awk '/MemTotal|MemAvailable/' /proc/meminfo
    cat $guide/check
}

set -o errtrace
trap 'echo "FAILED: $BASH_COMMAND"' ERR
for block in $guide/blocks/*; do
    began=$SECONDS
    echo "== $block"
    case $block in *updates*) test -e $guide/updated || add_commit && touch $guide/updated ;; esac
    if grep --quiet createsuperuser "$block"; then
        python3 $guide/answer.py "$block"
    else
        . "$block"
    fi
    echo "== $((SECONDS - began)) s" "$block" | tee --append $guide/seconds
done
check_site
check_outage_of_redis
print_figures >>$guide/figures
sort --key=2 --numeric-sort --reverse $guide/seconds | head --lines=6 >>$guide/figures
touch $guide/passed
