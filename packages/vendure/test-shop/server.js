const { bootstrap, bootstrapWorker } = require('@vendure/core');
const { config } = require('./vendure-config.js');

/** The server, or with the argument `worker` the worker, which are two processes. */
const start = process.argv[2] === 'worker' ? bootstrapWorker(config).then((worker) => worker.startJobQueue()) : bootstrap(config);

start.catch((error) => {
  console.error(error);
  process.exit(1);
});
