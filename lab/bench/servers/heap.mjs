/** Runs in a measured server. Responds to the message `heap` with the bytes of heap and buffers after a collection. */
process.on('message', (message) => {
  if (message !== 'heap') return;
  setTimeout(() => {
    globalThis.gc();
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    process.send(heapUsed + external);
  }, 200);
});
process.channel?.unref();
