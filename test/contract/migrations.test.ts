/**
 * A migration that a database has applied never changes: not even a comment, because `migrate` compares its text. A change of
 * the schema is a new migration.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '..', '..', 'src', 'core', 'database', 'migrations')

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
  '0052-payments-of-guests.sql': '9eda47d5af5e654b7e2747fcd5b5f670ca67776eb0f58209d4a81c4ee14b4089',
  '0053-administration.sql': 'd525a42955a48a895c0be5fcc361c5b0b7de3d6ea2790dd83d54648176feb193',
  '0054-device-links.sql': '1d3f890bfd43cdf2137193954bb4fffe861ddfddb646bde3f95410cb8ebc4f41',
  '0055-import-scope.sql': '052e47c5d19a48d5e34b81d678e65b3f05e958d1f99cd7911cb650a0be635678',
  '0056-trail-bound.sql': '93625b639c9424ee2ee071300c2b14840ad6e1ae24a68c39bfbcd5dd255113ea',
  '0057-trail-bound-holds.sql': 'bed304d29eee11a7d3ebf221e7e374e085d81a0de4f512b51ee395e3d66d59c4',
  '0058-trail-by-month.sql': '31faa48a24c490cff9e06968cc540e671eddc00531424368f1325317e6b3661b',
  '0059-idle-webhooks.sql': '5b5d8e762d982c3024f54eea73b9b68567d459396ef95681ccfb9761beff8fcc',
  '0060-server-generations.sql': '5c81f49ddb91973d7703f397c07d9399a74de1ff38aa6b12725392f2bd6faa03',
  '0061-center-moves.sql': '814f3f6841cfdaeb5c7def393677648b23feb0fa4cbadf3874f30bd9c3ab72e0',
  '0062-names-and-phones-as-written.sql': '0d88e2a5aa82cceb8f4206df436157f421fa219b35f6ca0b719cdf6c6af6eda3',
  '0063-files-of-reports.sql': '2da62931483ca0393b736ca56f3e16a831c1aed67c681bda249dee1340e8c3a2',
  '0064-identifiers-of-before.sql': '27b89ac6318a75f6d1eea018dbcb6aa999404a2c37a0f45330f65f13c1d5f6c6',
  '0065-year-of-session.sql': '5187c1c40107d08e31ecdfa572d35f84d50d8c5eb9a6b2cbf9cd35fd5848b76d',
}

it('every migration is as it was when databases applied it', () => {
  const texts = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name))] as const)
  expect(
    Object.fromEntries(texts.map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')])),
  ).toEqual(APPLIED)
})
