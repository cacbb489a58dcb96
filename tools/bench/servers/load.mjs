import autocannon from 'autocannon';

/** Runs in a process of its own. Sends requests for a number of seconds, then responds with the count of answers. */
process.on('message', async ({ seconds, ...request }) => {
  const result = await autocannon({ connections: 10, duration: seconds, ...request });
  process.send({
    answers: result['2xx'],
    failures: result.non2xx + result.errors + result.timeouts,
    ms: result.finish - result.start,
  });
});
