/**
 * Splits a script into its statements, because a prepared statement is a single one. In our scripts a statement ends
 * with a semicolon at the end of a line, and function bodies are between $$.
 */
export function splitStatements(script: string): string[] {
  const statements: string[] = []
  let current = ''
  let inBody = false
  for (const line of script.split('\n')) {
    current += `${line}\n`
    if (line.split('$$').length % 2 === 0) inBody = !inBody
    if (!inBody && /;\s*$/.test(line) && !line.trimStart().startsWith('--')) {
      statements.push(current)
      current = ''
    }
  }
  if (current.replaceAll(/^[ \t]*--.*$/gm, '').trim() !== '') statements.push(current)
  return statements
}
