/** The whole console: signed in or not. */
import { effect } from '@preact/signals-core'
import { type ComponentChild, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { followStorage, intakeKey } from '../base/intake-port.ts'
import { route } from '../base/location.ts'
import { loadPageStyles } from '../base/page-styles.ts'
import { begin, hasWords, isSigningIn, language, person, wasSignedOut } from '../base/signed-in.ts'
import { DEVICE } from '../device/pages.ts'
import { NotLoaded, type WhyNotLoaded, whyNotLoaded } from './not-loaded.ts'
import { pageOf } from './pages.ts'
import { SignIn } from './sign-in.ts'

type Inside = Awaited<ReturnType<typeof loadInside>>

export function App(): ComponentChild {
  const [isReady, setReady] = useState(false)
  const [inside, setInside] = useState<Inside | WhyNotLoaded>()
  const isDevice = route.value.path === DEVICE.path
  const isInside = isDevice || person.value !== undefined || intakeKey.value !== undefined
  const isComing = isInside || isSigningIn.value
  useEffect(() => {
    // Its code comes while the key is looked at; whether it may be opened is judged when both are there.
    pageOf(route.value.path)
      ?.load()
      .catch(() => {})
    void begin().then(() => setReady(true))
    return effect(() => {
      // At sign-out, and after a long time without use, the intake key is deleted too.
      if (person.value === undefined || wasSignedOut.value) followStorage()
    })
  }, [])
  useEffect(() => {
    if (!isComing || typeof inside === 'object') return
    loadInside().then(setInside, async () => setInside(await whyNotLoaded()))
  }, [isComing])
  // A device that stays signed in shows its copy while the service may still answer.
  const isShown = isReady || (person.value !== undefined && hasWords.value)
  if (isShown && !isInside) return h(SignIn, { prepare: loadInside })
  if (isShown && typeof inside === 'string') return h('main', { id: 'main' }, h(NotLoaded, { why: inside }))
  if (!isShown || inside === undefined || typeof inside === 'string')
    return h('main', { id: 'main', 'aria-busy': true })
  if (isDevice) return h(inside.Device, null)
  const View = person.value === undefined ? inside.ImportAlone : inside.Signed
  return h(View, { key: language.value })
}

/** Loads the code and the styles that are needed after signing in. The field for the key does not wait for them. */
async function loadInside() {
  const [{ Device, ImportAlone, Signed }] = await Promise.all([import('./inside.ts'), loadPageStyles()])
  return { Device, ImportAlone, Signed }
}
