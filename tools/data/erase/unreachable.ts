const DAY_MS = 24 * 60 * 60 * 1000;

/** A copy that an erasure cannot reach, and when it ends. */
interface Copy {
  readonly where: string;
  readonly until: string;
}

/**
 * Returns the copies that remain after an erasure. The service's logs contain no values of items, so the list leaves
 * them out.
 *
 * Source: Amazon DynamoDB Developer Guide, "Point-in-time recovery", "Change data capture for DynamoDB Streams".
 */
export function unreachable(): readonly Copy[] {
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  return [
    { where: 'the streams of the tables', until: day(1) },
    { where: 'point-in-time recovery of the tables, and tables that you restore from it', until: day(35) },
    { where: 'the archive of events, if the deployment has one', until: 'eventArchiveDays after each event' },
    { where: 'consumers of the events, until they obey the event of the removal', until: 'unknown' },
    { where: 'your exports and backups', until: 'you delete them' },
  ];
}
