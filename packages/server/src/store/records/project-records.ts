export interface ProjectRecord {
  id: number;
  team_id: number;
  name: string;
  api_key: string;
  created_at: string;
}
