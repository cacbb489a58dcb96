import autocannon from 'autocannon';

/** Runs in a process of its own. Sends the requests of a message, then responds with the count of answers. */
process.on('message', async (options) => {
  const result = await autocannon({ connections: 10, ...options });
  process.send({
    answers: result['2xx'],
    failures: result.non2xx + result.errors + result.timeouts,
    ms: result.finish - result.start,
  });
});
