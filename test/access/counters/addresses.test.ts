import { describe, expect, it } from 'vitest'
import {
  addressesWithin,
  createAllowLists,
  networkOf,
  readClientAddress,
} from '../../../src/core/access/addresses.ts'
import { readAddress, readAddressRange } from '../../../src/core/config/addresses.ts'

describe('the plain form of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:0207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::192.0.2.7', '::c000:207'],
    ['192.0.2.07', undefined],
    ['192.0.2', undefined],
    ['0x7f.1', undefined],
    ['2130706433', undefined],
    ['unknown', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %s is %s', (text, plain) => {
    expect(readAddress(text)?.toString()).toBe(plain)
  })
})

describe('a client as a proxy names it', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:51234', '203.0.113.9'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[::ffff:10.0.0.5]:443', '10.0.0.5'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:db8::1:443', '2001:db8::1:443'],
    ['::1', '::1'],
    ['203.0.113.9:', undefined],
    ['203.0.113.9:http', undefined],
    ['203.0.113.9:123456', undefined],
    ['[203.0.113.9:80', undefined],
    [':80', undefined],
    ['[]', undefined],
    ['unknown', undefined],
    [undefined, undefined],
  ])('%s comes from %s', (text, address) => {
    expect(readClientAddress(text)?.toString()).toBe(address)
  })
})

it('what is no address is within no range', () => {
  const isWithin = addressesWithin(['0.0.0.0/1', '::/1', 'nonsense'])
  for (const text of [undefined, '', 'unknown', 'nonsense', '203.0.113.9:http'])
    expect(isWithin(text)).toBe(false)
  expect(isWithin('[::1]:443')).toBe(true)
})

describe('a range', () => {
  it.each([
    ['10.0.0.0/8', 8],
    ['10.0.0.5', 32],
    ['10.0.0.5/32', 32],
    ['::1/128', 128],
    ['::1', 128],
    ['::ffff:0:0/96', 0],
    ['::ffff:10.0.0.0/104', 8],
    ['::ffff:10.0.0.0/90', undefined],
    ['10.0.0.0/33', undefined],
    ['10/8', undefined],
  ])('%s has %s bits in common', (text, bits) => {
    expect(readAddressRange(text)?.bits).toBe(bits)
  })
})

describe('the network that an address counts for', () => {
  it('is the address itself for IPv4, however it came', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
  })

  it('is the /64 for IPv6, however it was written', () => {
    expect(networkOf('2001:db8:0:1::1')).toBe('2001:db8:0:1::/64')
    expect(networkOf('2001:0DB8:0000:0001:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:1::/64')
    expect(networkOf('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64')
    expect(networkOf('::1')).toBe('0:0:0:0::/64')
  })

  it('is one and the same for everything that is no address', () => {
    expect(networkOf('nonsense')).toBe('unknown')
    expect(networkOf(undefined)).toBe('unknown')
  })
})

describe('the allow list of a key', () => {
  const allows = (allowedAddresses: readonly string[], address: string | undefined) =>
    createAllowLists().allows({ allowedAddresses }, () => address)

  it('lets everybody in where it is empty', () => {
    expect(allows([], '203.0.113.9')).toBe(true)
    expect(allows([], undefined)).toBe(true)
  })

  it.each([
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.99/24', '192.0.2.1', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '2001:db8::1', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::1', '2001:0db8:0:0::1', true],
    ['192.0.2.0/24', '::ffff:192.0.2.9', true],
    ['::ffff:192.0.2.0/120', '192.0.2.9', true],
    ['::ffff:192.0.2.0/120', '192.0.3.9', false],
    ['::ffff:192.0.2.7', '192.0.2.7', true],
    ['fe80::/10', 'fe80::1%eth0', true],
  ])('%s lets %s in: %s', (entry, address, allowed) => {
    expect(allows([entry], address)).toBe(allowed)
  })

  it('lets nobody in by an entry that is none, nor an address that is none', () => {
    for (const entry of [
      '',
      'everybody',
      '192.0.2.0/33',
      '192.0.2.0/-1',
      '192.0.2.0/8/8',
      '::ffff:1.2.3.4/90',
    ]) {
      expect(allows([entry], '192.0.2.7'), entry).toBe(false)
    }
    expect(allows(['0.0.0.0/0', '::/0'], undefined)).toBe(false)
    expect(allows(['0.0.0.0/0', '::/0'], 'unknown')).toBe(false)
  })

  it('is taken anew when it has changed', () => {
    const lists = createAllowLists()
    const allowed = (allowedAddresses: readonly string[]) =>
      lists.allows({ allowedAddresses }, () => '192.0.2.7')
    expect(allowed(['192.0.2.7'])).toBe(true)
    expect(allowed(['192.0.2.8'])).toBe(false)
    expect(allowed(['192.0.2.8', '192.0.2.7'])).toBe(true)
    // One of its entries, at whichever place.
    expect(allowed(['192.0.2.8', '192.0.2.9'])).toBe(false)
    expect(allowed(['192.0.2.7', '192.0.2.9'])).toBe(true)
  })
})
