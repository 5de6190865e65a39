/** Creates and drops databases on the tests' server, over a separate connection. */
import pg from 'pg'

/** Runs one statement as the superuser, outside a transaction (as `create database` requires). */
export async function adminQuery(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

/** The URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = name
  return changed.href
}
