/** From a file with a column of allergies to the kitchen's portions, with the commands that are printed. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sojourn } from '../commands/sojourn.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

let service: TestApi
let folder: string
const path = (name: string) => join(folder, name)
const run = (args: readonly string[]) => sojourn(args, {}, { database: service.database })

beforeAll(async () => {
  service = await startTestApi({ now: '2026-11-18T10:00:00Z' })
  folder = makeTemporaryFolder()
  writeFileSync(
    path('gäste.csv'),
    [
      'Buchung;Gast;Anreise;Abreise;Allergien/Diät',
      'B-1;Müller, Jürgen;16.11.2026;20.11.2026;Nussallergie, vegetarisch',
      'B-2;Groß, Anna;16.11.2026;20.11.2026;keine',
      'B-3;Klein, Tom;17.11.2026;21.11.2026;glutenfrei',
      'B-4;Alt, Eva;17.11.2026;21.11.2026;',
      '',
    ].join('\n'),
  )
})

/** A command as a text that was printed contains it. */
function printed(text: string, command: RegExp, center: string): string[] {
  const [found = ''] = command.exec(text) ?? []
  return found
    .replace('YOUR-CENTER', center)
    .split(' ')
    .slice(1)
    .map((word) => (/\.(?:csv|yaml)'?$/.test(word) ? path(word.replaceAll("'", '')) : word))
}

const KITCHEN_KEY = /sojourn keys create .*--preset kitchen/

interface Day {
  readonly byDiet: readonly { readonly label: string; readonly kind: string; readonly lunch: number }[]
}

test('a column "Allergien/Diät" is what the kitchen reads after the printed commands', async () => {
  const { id } = await service.newCenter([])
  const explained = await run(['import', '--explain', path('gäste.csv')])
  expect(explained.stdout).toContain('Allergien/Diät: 3 different texts')
  expect(explained.stdout).toContain('→ customer.meta.diet')
  expect(explained.stdout).toContain('say in diets whether "glutenfrei" is diet, allergy or none')
  writeFileSync(path('gäste.yaml'), explained.stdout)

  const next = ['import', '--center', id, '--map', path('gäste.yaml'), path('gäste.csv')]
  const dry = await run([...next, '--dry-run'])
  expect(dry.stdout).toContain("meta.diet is a diet of the center's meal rules, once imported.")
  const imported = await run(next)
  expect(imported).toMatchObject({ code: 0, stderr: '' })
  expect(imported.stdout).toContain("meta.diet is a diet of the center's meal rules now.")

  const command = printed(imported.stdout, KITCHEN_KEY, id)
  expect(command).toEqual(printed(explained.stdout, KITCHEN_KEY, id))
  const key = JSON.parse((await run([...command, '--json'])).stdout)
  const url = '/v1/meals/portions?startDate=2026-11-18&endDate=2026-11-18'
  const answer = await service.as(undefined).get(url, { authorization: `Bearer ${key.apiKey}` })
  expect(answer.status, answer.text).toBe(200)
  const [day] = answer.body.days as unknown as Day[]
  expect(day?.byDiet.map(({ label, kind, lunch }) => `${kind} ${label} ${lunch}`)).toEqual([
    'unknown glutenfrei 1',
    'allergy Nussallergie 1',
    'diet vegetarisch 1',
    'none Asked and has none 1',
    'notAsked Diet not asked 1',
  ])

  const again = await run(next)
  expect(again.stdout).toContain('8 were unchanged')
  expect(again.stdout).not.toContain('meta.diet')
})

describe('what the center has already', () => {
  const MAPPING =
    'records:\n  customer: {id: Id, lastName: Name, meta.diet: Diet}\ndiets: {diet: {label: Diet, values: {vegan: diet, nuts: allergy}}}\n'
  const importWith = async (center: string, ...options: string[]) => {
    writeFileSync(path('m.yaml'), MAPPING)
    writeFileSync(path('g.csv'), 'Id;Name;Diet\n1;Ana;vegan\n')
    return run(['import', '--json', '--center', center, '--map', path('m.yaml'), ...options, path('g.csv')])
  }
  const rulesOf = async (center: string) => {
    const lines = (await run(['export', '--center', center])).stdout.trim().split('\n')
    const records = lines.map((line) => JSON.parse(line))
    return {
      diets: records.find(({ kind }) => kind === 'center').mealRules?.dietFields,
      fields: records.filter(({ kind }) => kind === 'metaField').map(({ centerId: _, ...field }) => field),
    }
  }
  const ALLERGIES = { kind: 'metaField', key: 'allergies', type: 'string', of: 'customer' }

  test('stays, and the new diet comes after it', async () => {
    const rules = { mealTimes: { lunch: '12:00' }, dietFields: [{ field: 'allergies', allergies: ['nuts'] }] }
    const { id } = await service.newCenter([ALLERGIES], { mealRules: rules })
    expect(JSON.parse((await importWith(id)).stdout).diets).toEqual({ added: ['diet'], present: [] })
    expect(await rulesOf(id)).toEqual({
      diets: [
        { field: 'allergies', allergies: ['nuts'] },
        { field: 'diet', values: [{ value: 'vegan' }, { value: 'nuts', isAllergy: true }] },
      ],
      fields: [ALLERGIES, { kind: 'metaField', key: 'diet', label: 'Diet', type: 'string', of: 'customer' }],
    })
  })
  test('is never overwritten: rules and custom fields of the same key stay as they are', async () => {
    const own = { kind: 'metaField', key: 'diet', label: 'Ours', type: 'string', of: 'customer' }
    const { id } = await service.newCenter([own], { mealRules: { dietFields: [{ field: 'diet' }] } })
    expect(JSON.parse((await importWith(id)).stdout).diets).toEqual({ added: [], present: ['diet'] })
    expect(await rulesOf(id)).toEqual({ diets: [{ field: 'diet' }], fields: [own] })
  })
  test('is all there is after a dry run and after an import that was refused', async () => {
    const { id } = await service.newCenter([])
    expect(JSON.parse((await importWith(id, '--dry-run')).stdout)).toMatchObject({ applied: false })
    writeFileSync(path('bad.csv'), 'Id;Name;Diet\n1;Ana;vegan\n2;;x\n')
    const bad = await run(['import', '--center', id, '--map', path('m.yaml'), path('bad.csv')])
    expect(bad).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing was imported') })
    expect(await rulesOf(id)).toEqual({ diets: undefined, fields: [] })
  })
  test('of another center is not touched', async () => {
    const [one, other] = [await service.newCenter([]), await service.newCenter([])]
    await importWith(one.id)
    expect(await rulesOf(other.id)).toEqual({ diets: undefined, fields: [] })
  })
  test('is not known without a center, which must be named', async () => {
    const ran = await run(['import', '--map', path('m.yaml'), path('g.csv')])
    expect(ran.stderr).toContain('The mapping has diets: name the center that gets them with --center.')
    expect(readFileSync(path('m.yaml'), 'utf8')).toBe(MAPPING)
  })
})
