import type { Random } from './random.ts'
import type { Stay } from './reservations.ts'
import { termIds } from './terms.ts'
import * as texts from './texts.ts'

/** Has the guest been seen by a doctor of the center? */
const examined = ({ status }: Stay) => status === 'arrived' || status === 'paid' || status === 'departed'

/** What the guest wrote in the form sent with the booking. */
export function formOf(stay: Stay, random: Random) {
  const has = (probability: number) => stay.complete || random.chance(probability)
  return {
    ...(has(0.4) && { accommodationDetails: random.pick(texts.accommodationDetails) }),
    ...(stay.role === 'patient' && {
      ...(has(0.7) && { medicalConditions: random.pick(texts.medicalConditions) }),
      ...(has(0.4) && { observations: random.pick(texts.observations) }),
      ...(has(0.6) && { mobility: random.pick(texts.mobility) }),
    }),
  }
}

/** What the doctors wrote; nothing for those who are not treated or not here yet. */
export function medicalOf(stay: Stay, random: Random) {
  if (stay.role !== 'patient') return {}
  const has = (probability: number) => stay.complete || random.chance(probability)
  const staff = {
    ...(has(0.8) && { doctorName: random.pick(texts.doctors) }),
    ...(has(0.6) && { therapistName: random.pick(texts.therapists) }),
  }
  if (!examined(stay)) return staff
  return {
    ...staff,
    ...(has(0.8) && {
      medicalLetter: {
        diagnoses: random.pick(texts.diagnoses),
        ...(has(0.5) && { ultrasoundNotes: random.pick(texts.ultrasoundNotes) }),
        ...(has(0.5) && { ultrasoundStr: random.pick(texts.ultrasoundSummaries) }),
        ...(has(0.3) && { psychiatricExam: random.pick(texts.psychiatricExams) }),
        ...(has(0.4) && { customRec: random.pick(texts.customRecommendations) }),
        ...(has(0.6) && { ekg: random.pick(texts.ecgResults) }),
        ...(has(0.7) && { recommendationsIds: random.some(recommendations, random.whole(1, 3)) }),
      },
    }),
    ...(has(0.5) && { medicalData: { notes: random.pick(texts.medicalNotes) } }),
    ...measurementsOf(stay, random),
  }
}

/** One recommendation is plain text that names no term. */
const recommendations = [...termIds('recommendation'), 'Tea of lime blossom in the evening']

function measurementsOf(stay: Stay, random: Random) {
  if (!stay.complete && random.chance(0.15)) return {}
  const height = random.whole(152, 196)
  const metres = height / 100
  const weight1 = Math.round(random.whole(21, 36) * metres * metres * 10) / 10
  const weight2 = Math.round((weight1 - random.whole(-5, 45) / 10) * 10) / 10
  const atTheEnd = stay.complete || stay.status === 'departed' || random.chance(0.3)
  // Half of the records leave the index out: the service then computes it from weight and height.
  const recorded = stay.complete || random.chance(0.5)
  const bmi = (weight: number) => Math.round((weight / (metres * metres)) * 10) / 10
  return {
    height,
    weight1,
    idealWeight: Math.round(23 * metres * metres),
    idealCirc: Math.round(height / 2),
    ...(atTheEnd && { weight2 }),
    ...(recorded && { bmi1: bmi(weight1), ...(atTheEnd && { bmi2: bmi(weight2) }) }),
  }
}
