/**
 * A machine that lost its power or its network says no goodbye. Whoever waits for its answer looks after it, or would wait for ever;
 * by itself Linux looks for the first time after two hours.
 */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

/**
 * The same at the server, for what such a machine of ours held: the lock of the nights is free for another one within a minute.
 * Through a unix socket, where nobody can be far away, it changes nothing.
 */
export const keptAliveByServer = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';
