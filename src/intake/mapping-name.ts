/** The name of a mapping that a center keeps: it has neither a dot nor a slash, so that it is never taken for a file. */
export const isMappingName = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text)
