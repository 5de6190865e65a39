/** What every page of HTML asks of the browser. */
import { expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'

test.each(['/console', '/docs', '/docs/guide', '/docs/guide/keys'])(
  '%s may use no device, and gives no other page a handle to its window',
  async (path) => {
    const api = await startTestApi()
    const { statusCode, headers } = await api.app.inject({ url: path })
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    const permissions = new Map(
      String(headers['permissions-policy'])
        .split(', ')
        .map((one) => one.split('=') as [string, string]),
    )
    for (const feature of ['camera', 'microphone', 'geolocation', 'usb', 'payment', 'display-capture']) {
      expect([feature, permissions.get(feature)]).toEqual([feature, '()'])
    }
    // A wall display stays on, and buttons copy.
    expect(permissions.get('screen-wake-lock')).toBe('(self)')
    expect(permissions.get('clipboard-write')).toBe('(self)')
    expect([...permissions.values()].filter((value) => value !== '()' && value !== '(self)')).toEqual([])
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['x-content-type-options']).toBe('nosniff')
  },
)
