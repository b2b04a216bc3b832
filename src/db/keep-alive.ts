/**
 * A machine that lost power or network does not close its connections. TCP keepalive detects it; by default Linux sends the first
 * probe after two hours.
 */
export const keepAliveOptions = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

/**
 * Keepalive on the server side, for what a lost client machine held: the lock of scheduled jobs is free within a minute. It has no
 * effect on a unix socket.
 */
export const serverKeepAliveOptions = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';
