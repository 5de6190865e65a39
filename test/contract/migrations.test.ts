/**
 * A migration that a database has applied never changes: not even a comment, because `migrate` compares its text. A change of
 * the schema is a new migration.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '..', '..', 'src', 'database', 'migrations')

/** SHA-256 of each. A new migration is added here with its commit. */
const APPLIED: Readonly<Record<string, string>> = {
  '0040-baseline.sql': '7222c5fc96b294e58a66063aeaa20a78c5e5997fe3452d80f8e29a7eb263d1e8',
  '0041-pseudonyms.sql': '2d7c2c05a2bfc00032fbf593f3ae144c629482fe6baf62d1241d20573adaafb6',
  '0042-refused-requests.sql': 'd1cb2e8e601c4f6198fbda3f4fc8918abfabadd53eb9569c1d06c3ba2c28ad58',
  '0043-rooms.sql': '063b6128ae017aacfc5280ff99ae53c14d55ec8715d444f64af696f9042f3cae',
  '0044-sources.sql': 'd981cf36d15abe7e534cbd53ad75401d7ff7deda07d6b2e6e4dd4aac3cfb44b0',
  '0045-faster-names.sql': '3cdb1a4243932157124e2cd696ffaa34b4d68d4eef3e160d3b60a52167b9a68a',
  '0046-contradictions.sql': 'a68c6fea39323871a1bbfbaf30cf671fb71c2521359abf634015a5d8363be7ce',
  '0047-order-rules.sql': 'e9dcf25752a1de09aa7cda4cf5cda920e892eae60dd18c1a818b0108b5f69128',
  '0048-notices.sql': '28a3233739fdbfc558c33674fbe06023ab573063e3c7767dc4b69be3f24c0720',
  '0049-search.sql': 'ca207bf9aaa18c8e06881d06380dc11629f4a31c9a78af8158fb2d29caa70565',
  '0050-reports.sql': '9b1b625665ebcf5c18e61147598598e7dd3a874117425aecfd06b3c52a457aa3',
  '0051-many-contradictions.sql': '17894941b7e3e73031289d9a0c2635215ed1ffd7b61d74d9e81e14a104c85da6',
}

it('every migration is as it was when databases applied it', () => {
  const texts = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name))] as const)
  expect(
    Object.fromEntries(texts.map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')])),
  ).toEqual(APPLIED)
})
