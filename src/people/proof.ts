import { refuse, type Refusal } from '../http/responses.ts';
import { decideProof, type ProofRequirements, type ProofFacts } from './decide-proof.ts';

export function proofRefusal(guarded: ProofRequirements, facts: ProofFacts): Refusal | null {
  switch (decideProof(guarded, facts)) {
    case 'go':
      return null;
    case 'proof_required':
      return refuse('proof_required', 'Confirm your identity: POST your password to /api/v1/session/proof, then repeat this request.');
    case 'person_required':
      return refuse('person_required', 'In live mode, only a signed-in user can do this. API keys cannot.');
    case 'scope_missing':
      return refuse('permission_missing', `In live mode, an API key needs the scope ${guarded.liveKeys} for this.`);
  }
}
