/**
 * Stands in bundles for the SDK's event streams, which only operations such as S3's SelectObjectContent use: 15 KB that
 * no function needs.
 */
const unused = (): never => {
  throw new Error('Event streams are not part of this bundle');
};

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
export const eventStreamSerdeProvider = unused;
export const EventStreamSerde = unused;
