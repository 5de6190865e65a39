/** The map of cells without a database: what gets into it, and who has what two cells claim. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  createDeviceLinkToken,
  createLinkToken,
  createToken,
  publicHalf,
} from '../../../src/core/access/keys/token.ts'
import { readCells } from '../../../src/parts/cells/cells-file.ts'
import { MAP_PATH } from '../../../src/parts/cells/haproxy-socket.ts'
import { keepMap } from '../../../src/parts/cells/keep-map.ts'
import { CellMap } from '../../../src/parts/cells/map.ts'

const [NORTH, SOUTH] = ['0123456789abcdef', 'fedcba9876543210']
const CELLS = [{ name: 'north' }, { name: 'south' }]
const newKey = () => createToken(randomBytes)

describe('the list of cells', () => {
  it('has a name and a URL in each line', () => {
    const text = '# all\n\nnorth  postgres://a:b@127.0.0.1:5432/one\n south\tpostgresql://c@db/two \n'
    expect(readCells(text)).toEqual([
      { name: 'north', url: 'postgres://a:b@127.0.0.1:5432/one' },
      { name: 'south', url: 'postgresql://c@db/two' },
    ])
  })

  it.each([
    ['', /No cell is listed/],
    ['North postgres://a@db/x', /Line 1 .* does not begin with a name/],
    ['a;b postgres://a@db/x', /Line 1/],
    ['north', /Line 1 of the cells \(north\) must have a name and the URL/],
    ['north mysql://a:secret@db/x', /Line 1/],
    ['north postgres://a:secret@db/x more', /Line 1/],
    ['north postgres://a@db/x\nnorth postgres://a@db/y', /north is listed twice/],
  ])('is refused without showing it: %j', (text, message) => {
    expect(() => readCells(text)).toThrow(message)
    expect(() => readCells(text)).not.toThrow(/secret/)
  })
})

describe('the map', () => {
  it('has the public half of keys, links and one-time links, and nothing secret', () => {
    const map = new CellMap(CELLS)
    const [key, link, device] = [newKey(), createLinkToken(randomBytes), createDeviceLinkToken(randomBytes)]
    map.update('north', [[NORTH, 1, [key.publicKey, link.id, device.id]]])
    expect([...map.lines()]).toEqual([
      `${key.apiKey.slice(8, 30)} north`,
      `${link.token.slice(8, 24)} north`,
      `${device.token.slice(9, 25)} north`,
    ])
    const text = map.text('keys') + map.text('centers')
    for (const secret of [key.secretKey.slice(7, 39), link.token.slice(24, 56)])
      expect(text).not.toContain(secret)
  })

  it('leaves out what has not the form of an identifier', () => {
    const map = new CellMap(CELLS)
    const { publicKey } = newKey()
    const hostile = [
      `${publicKey}\nAAAAAAAAAAAAAAAAAAAAAA south`,
      `${publicKey} `,
      publicKey.slice(0, -1),
      'sjn_pk_; del map x',
      'sjn_link_0123456789ABCDE;',
      'sjn_link_0123456789\nABCDE',
      '',
    ]
    const { malformed, changes } = map.update('north', [[NORTH, 1, hostile]])
    expect([malformed, changes.keys, map.text('keys')]).toEqual([hostile.length, [], ''])
    expect(() => map.update('north', [['x\ny', 1, []]])).toThrow()
    // What the service makes, in a thousand forms, is in lines of one form.
    map.update('south', [[SOUTH, 1, Array.from({ length: 1000 }, () => newKey().publicKey)]])
    expect(map.text('keys')).toMatch(/^(?:[0-9A-Za-z]{22} [0-9a-f]{16}\n){1000}$/)
  })

  it('says what was added, moved and removed', () => {
    const map = new CellMap(CELLS)
    const [one, two] = [newKey().publicKey, newKey().publicKey]
    expect(map.update('north', [[NORTH, 1, [one]]]).changes).toEqual({
      centers: [{ key: NORTH, value: 'north', before: undefined }],
      keys: [{ key: publicHalf(one), value: NORTH, before: undefined }],
    })
    expect(map.update('north', [[NORTH, 1, [one, two]]]).changes.keys).toEqual([
      { key: publicHalf(two), value: NORTH, before: undefined },
    ])
    // Both cells have the center; the one with the higher rank answers.
    expect(map.update('south', [[NORTH, 2, [one, two]]]).changes).toEqual({
      centers: [{ key: NORTH, value: 'south', before: 'north' }],
      keys: [],
    })
    expect(map.update('north', []).changes).toEqual({ centers: [], keys: [] })
    expect(map.update('south', [[NORTH, 2, [two]]]).changes.keys).toEqual([
      { key: publicHalf(one), value: undefined, before: NORTH },
    ])
  })

  it('leaves a key with the cell that had it first, if another one claims it too', () => {
    const map = new CellMap(CELLS)
    const { publicKey } = newKey()
    map.update('south', [[SOUTH, 1, [publicKey]]])
    expect(map.update('north', [[NORTH, 1, [publicKey]]]).changes.keys).toEqual([])
    expect([...map.lines()]).toEqual([`${publicHalf(publicKey)} south`])
  })

  it('begins with what an earlier one has written, and ignores other lines', () => {
    const before = new CellMap(CELLS)
    const { publicKey } = newKey()
    before.update('north', [[NORTH, 1, [publicKey]]])
    const map = new CellMap(CELLS)
    map.seed({
      centers: `${before.text('centers')}${SOUTH} west\nx y z\n`,
      keys: `${before.text('keys')}short ${NORTH}\n${'a'.repeat(22)} ${SOUTH}\n`,
    })
    expect([...map.lines()]).toEqual([`${publicHalf(publicKey)} north`])
    expect(map.update('north', [[NORTH, 1, [publicKey]]]).changes).toEqual({ centers: [], keys: [] })
  })

  it('is sent only to paths that are one word of a command', () => {
    for (const path of ['/a b', '/a;b', '/a\nb', '']) expect(MAP_PATH.test(path)).toBe(false)
    expect(MAP_PATH.test('/var/lib/sojourn-cells/keys.map')).toBe(true)
  })
})

it('a center that one cell has given up and another one has is moved, whichever of them is read first', async () => {
  const { publicKey } = newKey()
  let cell = 'north'
  const written: Record<string, string> = {}
  const map = keepMap(
    {
      cells: [...CELLS].map(({ name }) => ({ name, url: '' })),
      files: {
        pathOf: (name) => name,
        async write(name, text) {
          written[name] = text
        },
      },
      sockets: [],
      readerOf: ({ name }) => ({
        name,
        read: async () => ({ moving: false, claims: name === cell ? [[NORTH, 2, [publicKey]]] : [] }),
        close: async () => {},
      }),
      databaseTlsCa: undefined,
      databasePooler: false,
      now: Date.now,
      tell() {},
    },
    { centers: '', keys: '' },
  )
  const nothing = { failed: new Map(), added: 0, moved: 0, removed: 0, moving: false }
  expect(await map.round()).toEqual({ ...nothing, added: 1 })
  for (const to of ['south', 'north']) {
    cell = to
    expect(await map.round()).toEqual({ ...nothing, moved: 1 })
    expect(written).toEqual({ centers: `${NORTH} ${to}\n`, keys: `${publicHalf(publicKey)} ${NORTH}\n` })
  }
  expect(await map.round()).toEqual(nothing)
})
