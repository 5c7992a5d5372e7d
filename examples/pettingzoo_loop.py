"""A game of three in PettingZoo's loop, each at random. Needs the extra: pip install 'bastide[pettingzoo]'"""

from bastide.adapters import pettingzoo as carcassonne

env = carcassonne.env("river", players=3, rewards="margin")
env.reset(seed=7)
for seat, agent in enumerate(env.agents):
    env.action_space(agent).seed(seat)

for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    is_over = terminated or truncated
    env.step(None if is_over else env.action_space(agent).sample(observation["action_mask"]))

print(info["scores"])
