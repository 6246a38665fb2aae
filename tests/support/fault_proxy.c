/* Who is connected to the proxy, and how do tests command it? */

#include "support/fault_proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "support/fault_connection.h"
#include "support/temp_dir.h"
#include "support/tls_cert.h"

/* Clients that may wait to be accepted; as the kernel's own default. */
#define BACKLOG 128

/* A kubeconfig holds nothing secret here: the token is only there to be sent, and who sends it may
 * be another user's process. */
#define CONFIG_MODE 0644
#define DIR_MODE 0755
#define CLIENT_TOKEN "fault-proxy"

struct prb_fault_proxy {
    struct prb_fault_shared shared;
    struct prb_fault_connection *connections; /* owned; shared.lock */
    pthread_t thread;                         /* accepts */
    bool accepting;                           /* the thread was started */
    int fd;                                   /* owned: listens */
    int wake;                                 /* owned eventfd: ends the thread */
    char *url;                                /* owned, as all texts */
    char *ca;                                 /* PEM */
    char *dir;
    char *kubeconfig;
};

/* Join the connections that are over; `all`: wait for the others, too. */
static void reap(struct prb_fault_proxy *proxy, bool all)
{
    struct prb_fault_connection *over = NULL;

    (void)pthread_mutex_lock(&proxy->shared.lock);
    for (struct prb_fault_connection **at = &proxy->connections; *at;) {
        struct prb_fault_connection *connection = *at;

        if (!all && !atomic_load(&connection->ended)) {
            at = &connection->next;
            continue;
        }
        *at = connection->next;
        connection->next = over;
        over = connection;
    }
    (void)pthread_mutex_unlock(&proxy->shared.lock);
    while (over) {
        struct prb_fault_connection *next = over->next;

        prb_fault_connection_join(over);
        over = next;
    }
}

/* Give `order` to the connections that forward a watch on `resource`; to all when `any`. */
static unsigned order(
        struct prb_fault_proxy *proxy, enum prb_fault_order what, bool any, const char *resource)
{
    unsigned count = 0;

    (void)pthread_mutex_lock(&proxy->shared.lock);
    for (struct prb_fault_connection *at = proxy->connections; at; at = at->next) {
        if (!any && !(at->watching && prb_api_call_is_on(&at->call, resource)))
            continue;
        count++;
        if (what != PRB_FAULT_ORDER_NONE)
            prb_fault_connection_order(at, what);
    }
    (void)pthread_mutex_unlock(&proxy->shared.lock);
    return count;
}

static void take_client(struct prb_fault_proxy *proxy)
{
    int fd = accept4(proxy->fd, NULL, NULL, SOCK_CLOEXEC);
    struct prb_fault_connection *connection;

    if (fd < 0)
        return;
    if (!atomic_load(&proxy->shared.upstream_on)) {
        (void)close(fd);
        return;
    }
    connection = prb_fault_connection_start(&proxy->shared, fd);
    if (!connection)
        return;
    (void)pthread_mutex_lock(&proxy->shared.lock);
    connection->next = proxy->connections;
    proxy->connections = connection;
    (void)pthread_mutex_unlock(&proxy->shared.lock);
}

static void *accept_clients(void *arg)
{
    struct prb_fault_proxy *proxy = arg;
    struct pollfd fds[] = {
        { .fd = proxy->fd, .events = POLLIN },
        { .fd = proxy->wake, .events = POLLIN },
    };

    for (;;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return NULL;
        if (fds[1].revents)
            return NULL;
        reap(proxy, false);
        if (fds[0].revents)
            take_client(proxy);
    }
}

static int start_listening(struct prb_fault_proxy *proxy, struct prb_error *err)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof(address);

    proxy->wake = eventfd(0, EFD_CLOEXEC);
    proxy->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (proxy->wake < 0 || proxy->fd < 0 ||
            bind(proxy->fd, (struct sockaddr *)&address, size) != 0 ||
            listen(proxy->fd, BACKLOG) != 0 ||
            getsockname(proxy->fd, (struct sockaddr *)&address, &size) != 0)
        return prb_fail(err, PRB_E_IO, "listen: errno %d", errno);
    proxy->url = prb_asprintf("https://127.0.0.1:%d", ntohs(address.sin_port));
    return 0;
}

static int write_kubeconfig(struct prb_fault_proxy *proxy, struct prb_error *err)
{
    prb_autofree char *ca_path = NULL;
    prb_autofree char *text = NULL;

    proxy->dir = prb_test_temp_dir();
    proxy->kubeconfig = prb_asprintf("%s/kubeconfig", proxy->dir);
    ca_path = prb_asprintf("%s/ca.crt", proxy->dir);
    text = prb_asprintf("apiVersion: v1\n"
                        "kind: Config\n"
                        "current-context: proxy\n"
                        "clusters:\n"
                        "- name: proxy\n"
                        "  cluster: {server: '%s', certificate-authority: ca.crt}\n"
                        "users:\n"
                        "- name: proxy\n"
                        "  user: {token: " CLIENT_TOKEN "}\n"
                        "contexts:\n"
                        "- name: proxy\n"
                        "  context: {cluster: proxy, user: proxy}\n",
            proxy->url);
    if (chmod(proxy->dir, DIR_MODE) != 0)
        return prb_fail(err, PRB_E_IO, "%s: errno %d", proxy->dir, errno);
    if (prb_file_write(ca_path, proxy->ca, strlen(proxy->ca), CONFIG_MODE, err) < 0)
        return err->code;
    return prb_file_write(proxy->kubeconfig, text, strlen(text), CONFIG_MODE, err);
}

static int set_up(struct prb_fault_proxy *proxy, const struct prb_kube_config *upstream,
        struct prb_error *err)
{
    if (prb_fault_upstream_init(&proxy->shared.upstream, upstream, err) < 0 ||
            prb_test_serving_cert(&proxy->shared.credentials, &proxy->ca, err) < 0 ||
            start_listening(proxy, err) < 0 || write_kubeconfig(proxy, err) < 0)
        return err->code;
    if (pthread_create(&proxy->thread, NULL, accept_clients, proxy) != 0)
        return prb_fail(err, PRB_E_INTERNAL, "no thread");
    proxy->accepting = true;
    return 0;
}

int prb_fault_proxy_start(
        const struct prb_kube_config *upstream, struct prb_fault_proxy **ret, struct prb_error *err)
{
    struct prb_fault_proxy *proxy = prb_calloc(1, sizeof(*proxy));

    proxy->fd = proxy->wake = -1;
    proxy->shared.rules = prb_fault_rules_new();
    proxy->shared.log = prb_fault_log_new();
    prb_fault_jitter_init_env(&proxy->shared.jitter);
    atomic_store(&proxy->shared.upstream_on, true);
    (void)pthread_mutex_init(&proxy->shared.lock, NULL);
    if (set_up(proxy, upstream, err) < 0) {
        prb_fault_proxy_stop(proxy);
        return prb_wrap(err, "fault proxy");
    }
    *ret = proxy;
    return 0;
}

int prb_fault_proxy_act_as(
        struct prb_fault_proxy *proxy, const struct prb_kube_config *config, struct prb_error *err)
{
    struct prb_fault_upstream as, before;

    if (prb_fault_upstream_init(&as, config, err) < 0)
        return prb_wrap(err, "fault proxy");
    (void)order(proxy, PRB_FAULT_ORDER_CUT, true, NULL);
    reap(proxy, true);
    (void)pthread_mutex_lock(&proxy->shared.lock); /* who accepts the next client takes it, too */
    before = proxy->shared.upstream;
    proxy->shared.upstream = as;
    (void)pthread_mutex_unlock(&proxy->shared.lock);
    prb_fault_upstream_done(&before);
    return 0;
}

static void stop_threads(struct prb_fault_proxy *proxy)
{
    const uint64_t one = 1;

    if (!proxy->accepting)
        return;
    (void)!write(proxy->wake, &one, sizeof(one));
    (void)pthread_join(proxy->thread, NULL);
    (void)order(proxy, PRB_FAULT_ORDER_CUT, true, NULL);
    reap(proxy, true);
}

void prb_fault_proxy_stop(struct prb_fault_proxy *proxy)
{
    if (!proxy)
        return;
    stop_threads(proxy);
    if (proxy->fd >= 0)
        (void)close(proxy->fd);
    if (proxy->wake >= 0)
        (void)close(proxy->wake);
    if (proxy->shared.credentials)
        gnutls_certificate_free_credentials(proxy->shared.credentials);
    prb_fault_upstream_done(&proxy->shared.upstream);
    prb_fault_rules_free(proxy->shared.rules);
    prb_fault_log_free(proxy->shared.log);
    (void)pthread_mutex_destroy(&proxy->shared.lock);
    prb_test_temp_dir_remove(proxy->dir);
    free(proxy->kubeconfig);
    free(proxy->url);
    free(proxy->ca);
    free(proxy);
}

struct prb_kube_config *prb_fault_proxy_config(const struct prb_fault_proxy *proxy)
{
    struct prb_kube_config *config = prb_calloc(1, sizeof(*config));

    config->server = prb_strdup(proxy->url);
    config->ca_data = prb_strdup(proxy->ca);
    config->token = prb_strdup(CLIENT_TOKEN);
    config->namespace = prb_strdup("");
    config->source = prb_strdup("fault proxy");
    return config;
}

const char *prb_fault_proxy_kubeconfig(const struct prb_fault_proxy *proxy)
{
    return proxy->kubeconfig;
}

int prb_fault_proxy_add(struct prb_fault_proxy *proxy, const struct prb_fault_rule *rule)
{
    return prb_fault_rules_add(proxy->shared.rules, rule);
}

void prb_fault_proxy_clear(struct prb_fault_proxy *proxy, int rule)
{
    prb_fault_rules_clear(proxy->shared.rules, rule);
}

unsigned prb_fault_proxy_hits(struct prb_fault_proxy *proxy, int rule)
{
    return prb_fault_rules_hits(proxy->shared.rules, rule);
}

unsigned prb_fault_proxy_cut_watches(struct prb_fault_proxy *proxy, const char *resource)
{
    return order(proxy, PRB_FAULT_ORDER_CUT, false, resource);
}

unsigned prb_fault_proxy_expire_watches(struct prb_fault_proxy *proxy, const char *resource)
{
    return order(proxy, PRB_FAULT_ORDER_EXPIRE, false, resource);
}

unsigned prb_fault_proxy_watches(struct prb_fault_proxy *proxy, const char *resource)
{
    return order(proxy, PRB_FAULT_ORDER_NONE, false, resource);
}

void prb_fault_proxy_set_upstream(struct prb_fault_proxy *proxy, bool on)
{
    atomic_store(&proxy->shared.upstream_on, on);
    if (!on)
        (void)order(proxy, PRB_FAULT_ORDER_CUT, true, NULL);
}

unsigned long prb_fault_proxy_count(
        struct prb_fault_proxy *proxy, const char *verb, const char *resource)
{
    return prb_fault_log_calls(proxy->shared.log, verb, resource, NULL);
}

unsigned long prb_fault_proxy_count_named(
        struct prb_fault_proxy *proxy, const char *verb, const char *resource, const char *name)
{
    return prb_fault_log_calls(proxy->shared.log, verb, resource, name);
}

void prb_fault_proxy_each_write(struct prb_fault_proxy *proxy, prb_fault_write_fn each, void *ctx)
{
    prb_fault_log_each_write(proxy->shared.log, each, ctx);
}

unsigned long prb_fault_proxy_lost_writes(struct prb_fault_proxy *proxy)
{
    return prb_fault_log_lost(proxy->shared.log);
}
