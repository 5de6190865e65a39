/**
 * Wording of forms and medical letters. It belongs to nobody: every text says so itself, because a screenshot
 * of the demo must not be taken for a patient's file.
 */
const invented = (texts: string[]) => texts.map((text) => `${text} (invented)`)

export const medicalConditions = invented([
  'Raised blood pressure, treated for six years',
  'Type 2 diabetes, tablets only',
  'Knee pain when walking downstairs',
  'Afecțiune tiroidiană compensată',
  'Lett astma om vinteren',
  'Recovering after a hip operation',
])

export const observations = invented([
  'Prefers treatments in the morning',
  'Would like a quiet room',
  'Dorește masă la aceeași oră',
  'Sensitive to heat: no sauna',
  'Kommer med egen fører',
])

export const mobility = [
  'Walks unaided',
  'Uses a cane',
  'Walking frame on stairs',
  'Wheelchair for distances',
]

export const accommodationDetails = [
  'Ground floor, please',
  'Next to the other guests of the order',
  'Pernă suplimentară',
  'Two towels more; allergic to feathers',
]

export const ultrasoundNotes = invented([
  'Abdomen examined, nothing that needs treatment',
  'Liver slightly enlarged, follow up in a year',
  'Small cyst of the left kidney, no change',
])

export const ultrasoundSummaries = invented(['Normal findings', 'Fatty liver grade I', 'Simple renal cyst'])

export const psychiatricExams = invented([
  'Oriented, calm, sleeps six hours',
  'Mild exhaustion, no medication',
  'Mood improved since the first talk',
])

export const diagnoses = invented([
  'Arterial hypertension grade I; overweight',
  'Type 2 diabetes, well controlled; gonarthrosis',
  'Chronic fatigue; lumbar pain',
  'Insomnia; vitamin D deficiency',
])

export const customRecommendations = invented([
  'Measure the blood pressure each morning for a month',
  'Twenty minutes of swimming, three times a week',
  'Bring the family doctor the attached plan',
])

export const ecgResults = invented([
  'Sinus rhythm, 68 per minute, normal axis',
  'Sinus rhythm, single extra beats',
  'Sinus bradycardia, 54 per minute',
])

export const medicalNotes = invented([
  'Tolerated all procedures well',
  'Lost appetite on day three, back on day five',
  'Blood pressure 128/82 at the last visit',
  'Tensiune bună, somn mai bun',
])

export const doctors = ['Dr. Crina Vultureanu', 'Dr. Octav Lemnaru', 'Dr. Sigrid Høyfjell']

export const therapists = ['Paula Ceaiu', 'Dinu Frunzaru', 'Tuva Bekkelund', 'Ellis Fernhollow']

export const receptionists = [
  'Reception: Iulia Clopoțel',
  'Reception: Radu Lămpaș',
  'Online form',
  'Phone: Ida Myrull',
]

export const depositNotes = ['Paid by the main guest', 'Avans prin transfer', 'Receipt sent by e-mail']

export const fullPaymentNotes = ['Paid at the desk', 'Split in two cards', 'Factură emisă']
