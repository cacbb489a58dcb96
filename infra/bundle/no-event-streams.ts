/**
 * Replaces the SDK's event streams in bundles. Only operations such as S3's SelectObjectContent use them. No function
 * needs these 15 KB.
 */
const unused = (): never => {
  throw new Error('Event streams are not part of this bundle');
};

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
export const eventStreamSerdeProvider = unused;
export const EventStreamSerde = unused;
