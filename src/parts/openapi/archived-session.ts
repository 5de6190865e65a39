/** The session of January 2025 that the demo has whatever today is: the examples are about it and its first order. */

export const ARCHIVED_SESSION_ID = 'session-2025-01'
export const ARCHIVED_ORDER_UUID = '3b1f8a54-6c0d-4e7a-9d52-81f0c4a7e2b6'
