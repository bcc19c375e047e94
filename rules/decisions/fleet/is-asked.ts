/** A lead_time of 0 means that nothing is asked about the instance (specification, Limits 4). */
export const isAsked = ({ leadTimeSeconds }: { readonly leadTimeSeconds?: number | undefined }): boolean =>
  leadTimeSeconds !== 0;
