/** The functions that serve no resource: a queue, a stream or a schedule calls them. */
export const BACKGROUND: readonly string[] = ['dead-letters', 'events', 'sweeper', 'uploads', 'worker'];
