/** `docs/asvs.md`: the register of ASVS 5.0.0 and of the OpenSSF baseline, from `tools/asvs/`. */
import { openSsfBaseline, type Requirement, register, STATUSES, standard } from '../asvs/register.ts'

const CHAPTERS: Readonly<Record<string, string>> = {
  1: 'Encoding and sanitization',
  2: 'Validation and steps of business',
  3: 'Pages in a browser',
  4: 'Interface and HTTP',
  5: 'Files',
  6: 'Authentication',
  7: 'Sessions',
  8: 'Authorization',
  9: 'Self-contained tokens',
  10: 'OAuth and OpenID',
  11: 'Cryptography',
  12: 'Encrypted connections',
  13: 'Configuration',
  14: 'Protection of data',
  15: 'Code and architecture',
  16: 'Records of security and errors',
  17: 'WebRTC',
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const link = (file: string) => `[${file}](../${file})`

const row = (levels: Readonly<Record<string, number>>) => (one: Requirement) => {
  const { number, status, words, files, testFile, testTitle } = one
  const where = status === 'met' ? `${files.map(link).join(', ')}; \`${testFile}\` ${cell(testTitle)}` : ''
  return `| ${number} | ${levels[number]} | ${status} | ${cell(words)} | ${where} |`
}

/** What does not apply in a chapter, in one row: requirements with the same reason next to each other. */
function notApplicable(rows: readonly Requirement[], levels: Readonly<Record<string, number>>): string[] {
  if (rows.length === 0) return []
  const reasons = [...Map.groupBy(rows, ({ words }) => words)].map(
    ([words, of]) => `${cell(words)} (${of.map(({ number }) => number).join(', ')})`,
  )
  const all = [...new Set(rows.map(({ number }) => levels[number]))].sort().join(', ')
  return [`| ${rows.length} more | ${all} | not applicable | ${reasons.join('; ')} |  |`]
}

export function asvsPage(): string {
  const { repository, commit, levels } = standard()
  const all = register()
  const counts = [1, 2, 3].map((level) => {
    const of = all.filter(({ number }) => levels[number] === level)
    return `| ${level} | ${of.length} | ${STATUSES.map((status) => of.filter((one) => one.status === status).length).join(' | ')} |`
  })
  const chapters = Object.entries(CHAPTERS).map(([chapter, title]) => {
    const of = all.filter(({ number }) => number.startsWith(`${chapter}.`))
    const [apply, others] = [true, false].map((is) =>
      of.filter(({ status }) => (status !== 'not applicable') === is),
    )
    const rows = [...(apply ?? []).map(row(levels)), ...notApplicable(others ?? [], levels)]
    return `## V${chapter} ${title}

| number | level | status | in our words | implemented in; test that fails without it |
|---|---|---|---|---|
${rows.join('\n')}`
  })
  const controls = openSsfBaseline().map(
    ({ control, status, words }) => `| ${control} | ${status} | ${cell(words)} |`,
  )
  return `# ASVS 5.0.0 and the OpenSSF baseline, requirement by requirement

<!-- Printed from tools/asvs/ by tools/docs/asvs-page.ts; a test holds this page to it. -->

All ${all.length} requirements of the OWASP Application Security Verification Standard 5.0.0, by number. What a requirement says
is in the [standard](${repository}) itself (the list of numbers and levels is that of commit \`${commit}\`); the words here are
ours, and say what Sojourn does. *met* names the files that implement it and a test that fails without it. *not applicable*
gives the reason, in one row for each chapter, and *open* what is done instead. [Security](security.md) has the threat model and the attacks that were tried.

| level | requirements | met | not applicable | open |
|---|---|---|---|---|
${counts.join('\n')}

${chapters.join('\n\n')}

## OpenSSF OSPS Baseline

What the project itself does, by the controls of the [baseline](https://baseline.openssf.org). Many depend on where the
repository is hosted, and are open until that is decided.

| control | status | in our words |
|---|---|---|
${controls.join('\n')}
`
}
