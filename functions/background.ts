/** The functions that serve no resource: a queue, a stream or a schedule calls them, after requests were answered. */
export const background = ['worker', 'dead-letters', 'sweeper', 'events', 'uploads'] as const;
